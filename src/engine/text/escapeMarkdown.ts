/**
 * Text for Markdown that the editor renders, such as tooltips: no markup, links, pictures or codicon placeholders.
 */
export function escapeMarkdown(text: string): string {
	return text
		.replaceAll(/[\\`*_{}[\]()<>#+\-.!|~$&:@/]/g, '\\$&')
		.replaceAll(/\s+/g, (blanks) => (/[\r\n]/.test(blanks) ? ' ' : blanks));
}
