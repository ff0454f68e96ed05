import { Emitter, type Event } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { listRefText, type ListRef } from '../../forge/list.ts';
import { fieldsOf } from '../shared/keptValues.ts';
import { parsedText, type KeptText } from '../shared/keptText.ts';

/** How somebody wants to see a list's patchsets. */
export interface ListChoice {
	/** In the forge's list grammar; empty for none. */
	readonly filter: string;
	/** `board`: grouped by what is waited for; `newest`: one after the other. */
	readonly patchsets: 'board' | 'newest';
}

/** The choices of one account, kept over restarts. */
export interface ListChoices {
	of(list: ListRef): ListChoice;
	/** Resolves when it is kept; `onDidChange` has told by then. */
	choose(list: ListRef, choice: ListChoice): Promise<void>;
	readonly onDidChange: Event<ListRef>;
}

/** What a list looks like before anybody chose. */
const firstChoice: ListChoice = { filter: '', patchsets: 'board' };
/** Longer filters are nobody's. */
const longestFilter = 2000;

/** Choices kept as one small text. */
export function keptListChoices(kept: KeptText): ListChoices & Disposable {
	const changed = new Emitter<ListRef>();
	const all = parsedText(kept, choicesIn);

	return {
		of: (list) => all().get(keyOf(list)) ?? firstChoice,
		async choose(list, choice) {
			const choices = new Map(all()).set(keyOf(list), choice);
			if (choice.filter === firstChoice.filter && choice.patchsets === firstChoice.patchsets) {
				choices.delete(keyOf(list));
			}
			const text = JSON.stringify(Object.fromEntries(choices));
			const written = kept.write(text);
			changed.fire(list);
			await written;
		},
		onDidChange: changed.event,
		dispose: () => changed.dispose(),
	};
}

/** Servers look lists up without regard to case. */
function keyOf(ref: ListRef): string {
	return listRefText(ref).toLowerCase();
}

function choicesIn(json: unknown): ReadonlyMap<string, ListChoice> {
	return new Map(
		Object.entries(fieldsOf(json)).map(([key, entry]) => {
			const { filter, patchsets } = fieldsOf(entry);
			return [
				key,
				{
					filter: typeof filter === 'string' && filter.length <= longestFilter ? filter : '',
					patchsets: patchsets === 'newest' ? 'newest' : 'board',
				},
			];
		}),
	);
}
