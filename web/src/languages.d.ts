/** Made by the build from the catalogues: every language's own name, and how to load it. */
declare module "virtual:languages" {
  type Text = string | Record<string, Record<string, string>>;
  const languages: Record<string, [name: string, load: () => Promise<{ default: Record<string, Text> }>]>;
  export default languages;
}
