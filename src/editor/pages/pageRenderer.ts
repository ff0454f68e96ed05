import * as vscode from 'vscode';
import type { MarkdownRenderer, MarkdownWords } from '../../engine/text/markdown.ts';

/** The lazily loaded Markdown renderer bundle. */
export interface RenderChunk {
	markdownRenderer(words: MarkdownWords): MarkdownRenderer;
}

/** The shared Markdown renderer; loads with the first page. */
export type PageRenderer = ReturnType<typeof pageRenderer>;

/** Loads the bundle once at most, unless loading fails. */
export function pageRenderer(render: () => Promise<RenderChunk>) {
	let renderer: MarkdownRenderer | undefined;
	return {
		/** `undefined` before the load. */
		loaded: () => renderer,
		async load() {
			if (!renderer) {
				const chunk = await render();
				renderer ??= chunk.markdownRenderer({
					image: vscode.l10n.t('Picture'),
					taskDone: vscode.l10n.t('Done'),
					taskOpen: vscode.l10n.t('To do'),
				});
			}
			return renderer;
		},
	};
}
