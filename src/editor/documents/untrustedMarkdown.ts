import * as vscode from 'vscode';
import { visible } from '../../engine/text/visible.ts';

/** A tooltip without commands, HTML, icons and hidden characters. Skips empty paragraphs. Escape remote text first. */
export function untrustedMarkdown(paragraphs: readonly string[]): vscode.MarkdownString {
	const text = new vscode.MarkdownString(visible(paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')));
	text.isTrusted = false;
	text.supportHtml = false;
	text.supportThemeIcons = false;
	return text;
}
