// The bundle that turns Markdown into safe HTML. The first page with Markdown loads it.
export { markdownRenderer } from './engine/text/markdown.ts';
