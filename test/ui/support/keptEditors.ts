import type { Page } from 'playwright-core';

/** Waits until the editor has written down which files are open: in a browser it does so every few seconds. */
export async function openFilesAreKept(page: Page, name: string): Promise<void> {
	await page.evaluate(async (wanted) => {
		const openEditors = (database: string): Promise<unknown> =>
			new Promise((resolve) => {
				const opening = indexedDB.open(database);
				opening.addEventListener('success', () => {
					const items = opening.result.transaction('ItemTable').objectStore('ItemTable');
					const reading = items.get('memento/workbench.parts.editor');
					reading.addEventListener('success', () => {
						opening.result.close();
						resolve(reading.result);
					});
				});
			});
		for (let isKept = false; !isKept; await new Promise((resolve) => requestAnimationFrame(resolve))) {
			const databases = (await indexedDB.databases()).map((each) => each.name ?? '');
			const kept = await Promise.all(
				databases.filter((each) => each.startsWith('vscode-web-state-db') && !each.endsWith('global')).map(openEditors),
			);
			isKept = kept.some((state) => typeof state === 'string' && state.includes(wanted));
		}
	}, name);
}
