import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

/** Whether an inbox of the window has seen a thing, named as the inbox keeps it: what happens to it from then on is news. */
export function isWatched(dataFolder: string, name: string): boolean {
	return keptTexts(dataFolder).some((text) => text.includes(name));
}

const commented = v.object({
	entry: v.object({ event: v.object({ kind: v.literal('commented'), excerpt: v.string() }) }),
});

/** What the comments say that the inboxes of an editor have entries of, each as often as there is an entry, in no order. */
export function keptComments(dataFolder: string): readonly string[] {
	return keptTexts(dataFolder).flatMap((text) => {
		const { items } = v.parse(v.object({ items: v.array(v.unknown()) }), JSON.parse(text));
		return items.flatMap((item) => (v.is(commented, item) ? [item.entry.event.excerpt] : []));
	});
}

function keptTexts(dataFolder: string): readonly string[] {
	const files = globSync(join(dataFolder, 'User/globalStorage/*/texts/*/inbox.json'));
	return files.map((file) => readFileSync(file, 'utf8'));
}
