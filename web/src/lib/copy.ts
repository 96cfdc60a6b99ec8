/** Put a text on the clipboard; says whether that worked. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The clipboard's own door is open only on https; at home, over plain http, the old way still works.
    const field = document.createElement("textarea");
    field.value = text;
    field.className = "hidden";
    // Inside an open dialog, since nothing outside it can be selected.
    (document.querySelector("dialog[open]") ?? document.body).append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}
