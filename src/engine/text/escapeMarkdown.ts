/**
 * Text as it may stand in Markdown that the editor renders, such as tooltips: no markup, no links, no pictures, and
 * no codicon placeholders.
 */
export function escapeMarkdown(text: string): string {
	return text
		.replaceAll(/[\\`*_{}[\]()<>#+\-.!|~$&:@/]/g, '\\$&')
		.replaceAll(/\s+/g, (blanks) => (/[\r\n]/.test(blanks) ? ' ' : blanks));
}
