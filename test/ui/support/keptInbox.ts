import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { fieldsOf, partOf } from '../../support/sampleForge.ts';

function listIn(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

/** The values that the window's inboxes store under a name. */
function kept(dataFolder: string, name: 'items' | 'positions'): readonly unknown[] {
	return globSync(join(dataFolder, 'User/globalStorage/*/texts/*/inbox.json')).flatMap((file) => {
		const json: unknown = JSON.parse(readFileSync(file, 'utf8'));
		const all: unknown = fieldsOf(json)[name];
		return listIn(all);
	});
}

/** Whether a window's inbox has seen an object, named by its inbox key; later events on it are news. */
export function isWatched(dataFolder: string, name: string): boolean {
	return kept(dataFolder, 'positions').some((position) => partOf(position, [0]) === name);
}

/** The events of the window's inboxes, each as its kind, in no particular order. */
export function keptEvents(dataFolder: string): readonly string[] {
	return kept(dataFolder, 'items')
		.map((item) => String(partOf(item, ['entry', 'event', 'kind'])))
		.toSorted();
}

const commented = v.object({
	entry: v.object({ event: v.object({ kind: v.literal('commented'), excerpt: v.string() }) }),
});

/** The comment texts of an editor's inbox entries, one per entry, in no order. */
export function keptComments(dataFolder: string): readonly string[] {
	return kept(dataFolder, 'items').flatMap((item) => (v.is(commented, item) ? [item.entry.event.excerpt] : []));
}
