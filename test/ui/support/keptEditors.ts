import type { Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';

/**
 * Waits until the editor has stored an open file or page whose entry contains all these texts; in a browser it stores
 * them every few seconds. A page has its title immediately and its own state, including its subject, a moment later;
 * so pass both for a page. Texts that an earlier file or page contained prove nothing.
 */
export function openFilesAreKept(page: Page, ...texts: readonly string[]): Promise<void> {
	return areKeptUnder(page, 'memento/workbench.parts.editor', texts);
}

/** The same for the extension's state of this window. */
export function windowStateIsKept(page: Page, ...texts: readonly string[]): Promise<void> {
	return areKeptUnder(page, 'forge-desk.forge-desk', texts);
}

async function areKeptUnder(page: Page, key: string, texts: readonly string[]): Promise<void> {
	const areKept = (): Promise<boolean> =>
		page.evaluate(
			async ([item, wanted]) => {
				const settled = <T>(request: IDBRequest<T>): Promise<T> =>
					new Promise((resolve, reject) => {
						request.addEventListener('success', () => resolve(request.result));
						request.addEventListener('error', () => reject(new Error('The storage cannot be read')));
					});
				const openEditors = async (name: string): Promise<unknown> => {
					const database = await settled(indexedDB.open(name));
					try {
						const items = database.transaction('ItemTable').objectStore('ItemTable');
						return await settled<unknown>(items.get(item));
					} finally {
						database.close();
					}
				};
				// Each editor is one text somewhere in the state.
				const textsIn = (value: unknown): readonly string[] =>
					typeof value === 'string'
						? [value]
						: typeof value === 'object' && value !== null
							? Object.values(value).flatMap(textsIn)
							: [];
				const names = (await indexedDB.databases()).map(({ name = '' }) => name);
				const kept = await Promise.all(
					names.filter((name) => name.startsWith('vscode-web-state-db') && !name.endsWith('global')).map(openEditors),
				);
				return kept
					.flatMap((state) => (typeof state === 'string' ? textsIn(JSON.parse(state)) : []))
					.some((entry) => wanted.every((text) => entry.includes(text)));
			},
			[key, texts] as const,
		);
	await eventually(areKept, true);
}
