import * as vscode from 'vscode';

/**
 * A tooltip of these paragraphs; empty ones are left out. Neither commands nor HTML nor icons; what strangers wrote has
 * to be escaped on top of that.
 */
export function untrustedMarkdown(paragraphs: readonly string[]): vscode.MarkdownString {
	const text = new vscode.MarkdownString(paragraphs.filter((paragraph) => paragraph !== '').join('\n\n'));
	text.isTrusted = false;
	text.supportHtml = false;
	text.supportThemeIcons = false;
	return text;
}
