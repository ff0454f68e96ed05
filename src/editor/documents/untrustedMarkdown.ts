import * as vscode from 'vscode';
import { visible } from '../../text/visible.ts';

/**
 * A tooltip of these paragraphs without commands, HTML, icons and hidden characters. Empty paragraphs are left out. Escape
 * text of strangers before.
 */
export function untrustedMarkdown(paragraphs: readonly string[]): vscode.MarkdownString {
	const text = new vscode.MarkdownString(visible(paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')));
	text.isTrusted = false;
	text.supportHtml = false;
	text.supportThemeIcons = false;
	return text;
}
