import * as v from 'valibot';
import { Emitter } from '@forge-desk/base/event.ts';
import { listKey, type ListRef } from 'sourcehut/port/list.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import { kept, type KeptText } from '../shared/keptText.ts';

/** `none`: the repository is not on this forge. */
export type ChosenRepository = RepositoryRef | 'none';

const longestName = 300;
/** More than anybody reads. */
const mostLists = 500;
const mostPrefixes = 50;

const name = v.pipe(v.string(), v.nonEmpty(), v.maxLength(longestName));
const choice = v.union([v.object({ owner: name, name }), v.literal('none')]);
/** By list key, then by lowercase prefix. */
const choices: v.GenericSchema<
	unknown,
	Readonly<Record<string, Readonly<Record<string, ChosenRepository>>>>
> = v.record(v.string(), v.fallback(v.record(v.string(), choice), {}));

/** The user's choices of repositories for lists, stored across restarts. */
export type RepositoryChoices = ReturnType<typeof repositoryChoices>;

export function repositoryChoices(place: KeptText) {
	const changed = new Emitter<ListRef>();
	const all = kept(place, choices, {});

	return {
		/** The choice for this prefix. An empty prefix falls back to the list's only choice. */
		of(list: ListRef, prefix: string | undefined) {
			// The sender controls the prefix, so it may be a name like `__proto__`.
			const said = new Map(Object.entries(all()[listKey(list)] ?? {}));
			const key = prefixKey(prefix);
			const [only] = said.values();
			return said.get(key) ?? (said.size === 1 && key === '' ? only : undefined);
		},
		/** `undefined` removes the choice. Resolves after the write; `onDidChange` fires before. */
		async choose(list: ListRef, prefix: string | undefined, chosen: ChosenRepository | undefined) {
			const { [listKey(list)]: said = {}, ...otherLists } = all();
			const { [prefixKey(prefix)]: _before, ...others } = said;
			const now = chosen ? { ...newest(others, mostPrefixes - 1), [prefixKey(prefix)]: chosen } : others;
			const isAny = Object.keys(now).length > 0;
			const written = place.write(
				JSON.stringify({ ...newest(otherLists, mostLists - 1), ...(isAny ? { [listKey(list)]: now } : {}) }),
			);
			changed.fire(list);
			await written;
		},
		onDidChange: changed.event,
		dispose: () => changed.dispose(),
	};
}

/** Keeps the last entries, which are the newest. */
function newest<T>(said: Readonly<Record<string, T>>, most: number): Readonly<Record<string, T>> {
	return Object.fromEntries(Object.entries(said).slice(-most));
}

function prefixKey(prefix = ''): string {
	return prefix.trim().toLowerCase().slice(0, longestName);
}
