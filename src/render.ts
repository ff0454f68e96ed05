// The bundle that turns Markdown into safe HTML; loaded with the first page that shows some.
export { markdownRenderer } from './engine/text/markdown.ts';
