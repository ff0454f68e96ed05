import type { Page } from 'playwright-core';

/**
 * The window's current content, for reports of failed tests without pictures: the unfolded rows of its trees, its
 * notifications, and the progress of its views.
 */
export function shownTexts(page: Page): Promise<string> {
	return page.evaluate(() => {
		const textsOf = (selector: string): readonly string[] =>
			Array.from(document.querySelectorAll(selector), (each) => (each.textContent ?? '').trim());
		const rows = Array.from(document.querySelectorAll('.sidebar [role="treeitem"]'), (row) => {
			const folded = { true: 'v', false: '>' }[row.getAttribute('aria-expanded') ?? ''] ?? ' ';
			const indent = '  '.repeat(Number(row.getAttribute('aria-level') ?? 1) - 1);
			return {
				top: row.getBoundingClientRect().top,
				text: `  ${indent}${folded} ${row.getAttribute('aria-label') ?? ''}`,
			};
		}).toSorted((one, other) => one.top - other.top);
		const [tabs, said, busy] = [
			textsOf('.tabs-container [role="tab"]'),
			textsOf('.notification-list-item-message'),
			textsOf('.sidebar .pane:has(.monaco-progress-container.active) .pane-header .title'),
		];
		return [
			'The window shows these rows:',
			...rows.map(({ text }) => text),
			`Tabs: ${tabs.join(' | ')}`,
			`Notifications: ${said.join(' | ')}`,
			`Views that read: ${busy.join(' | ')}`,
		].join('\n');
	});
}
