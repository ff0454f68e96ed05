import type { MarkdownContext, MarkdownRenderer } from '../../../text/markdown.ts';
import { markdownWords } from '../pageStrings.ts';
import type { RenderChunk } from '../ticketsParts.ts';

/** The Markdown renderer of all pages, loaded with the first of them. */
export interface PageRenderer {
	/** `undefined` before it is loaded. */
	readonly loaded: () => MarkdownRenderer | undefined;
	readonly load: () => Promise<MarkdownRenderer>;
}

/** Loads the bundle once at most, unless loading fails. */
export function pageRenderer(render: () => Promise<RenderChunk>): PageRenderer {
	let renderer: MarkdownRenderer | undefined;
	return {
		loaded: () => renderer,
		async load() {
			if (!renderer) {
				const chunk = await render();
				renderer ??= chunk.markdownRenderer(markdownWords());
			}
			return renderer;
		},
	};
}

/** Renders texts of one ticket, each of them once: a page redraws often and its texts rarely change. */
export function remembering(renderer: MarkdownRenderer, context: MarkdownContext): (markdown: string) => string {
	const rendered = new Map<string, string>();
	return (markdown) => {
		const html = rendered.get(markdown) ?? renderer.render(markdown, context);
		rendered.set(markdown, html);
		return html;
	};
}
