import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { fieldsOf, partOf } from '../../support/sampleForge.ts';

function listIn(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

/** What the inboxes of the window keep under a name. */
function kept(dataFolder: string, name: 'items' | 'positions'): readonly unknown[] {
	return globSync(join(dataFolder, 'User/globalStorage/*/texts/*/inbox.json')).flatMap((file) => {
		const json: unknown = JSON.parse(readFileSync(file, 'utf8'));
		const all: unknown = fieldsOf(json)[name];
		return listIn(all);
	});
}

/** Whether an inbox of the window has seen a thing, named as the inbox keeps it: what happens to it from then on is news. */
export function isWatched(dataFolder: string, name: string): boolean {
	return kept(dataFolder, 'positions').some((position) => partOf(position, [0]) === name);
}

/** What happened by the inboxes of the window, each entry by its kind; in no order that means anything. */
export function keptEvents(dataFolder: string): readonly string[] {
	return kept(dataFolder, 'items')
		.map((item) => String(partOf(item, ['entry', 'event', 'kind'])))
		.toSorted();
}

const commented = v.object({
	entry: v.object({ event: v.object({ kind: v.literal('commented'), excerpt: v.string() }) }),
});

/** What the comments say that the inboxes of an editor have entries of, each as often as there is an entry, in no order. */
export function keptComments(dataFolder: string): readonly string[] {
	return kept(dataFolder, 'items').flatMap((item) => (v.is(commented, item) ? [item.entry.event.excerpt] : []));
}
