import { describe, expect, it } from "vitest";
import { blocks } from "../src/lib/markdown";
import { tell } from "../src/lib/story";

describe("the rules page", () => {
  it("is headings, paragraphs and lists; the rest stays text", () => {
    expect(blocks("# A\n\nfirst\nline\n\n## B\n\n- one\n- two\n  more\n\n<b>x</b>")).toEqual([
      { type: "heading", level: 1, text: "A" },
      { type: "paragraph", text: "first line" },
      { type: "heading", level: 2, text: "B" },
      { type: "list", items: ["one", "two more"] },
      { type: "paragraph", text: "<b>x</b>" },
    ]);
  });
});

describe("the story of a game", () => {
  it("tells who gave whom the pile, and who picked up most", () => {
    const story = tell(
      [
        { event: "gave", seat: 0, to: 1, count: 4 },
        { event: "gave", seat: 0, to: 1, count: 3 },
        { event: "picked_up", seat: 1, count: 9 },
        { event: "picked_up", seat: 0, count: 2 },
        { event: "completed_set", seat: 1, kind: "7", count: 3 },
        { event: "turned_over", seat: 0, kind: "3", fits: false, place: 1 },
        { event: "came_back", seat: 1 },
      ],
      2,
    );
    expect(story.gifts).toEqual([{ from: 0, to: 1, cards: 7 }]);
    expect(story.biggest).toEqual({ seat: 1, count: 9 });
    expect(story.sets).toEqual([0, 1]);
    expect(story.blind).toEqual([{ seat: 0, kind: "3", fits: false }]);
    expect(story.returns).toEqual([0, 1]);
  });
});
