import type { ListRef } from 'sourcehut/port/list.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import type { TicketRef } from 'sourcehut/port/ticket.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { Watching } from '../inbox/inboxBook.ts';
import { watchedNamed } from '../inbox/watched.ts';

/** Things to poll because the user chose them, even if not followed. */
export interface ChosenPlaces {
	readonly trackers: readonly TrackerRef[];
	readonly tickets: readonly TicketRef[];
	/** Includes the lists of single threads, patchsets and files, because the rows of a list report their news. */
	readonly lists: readonly ListRef[];
	readonly repositories: readonly RepositoryRef[];
}

export function chosenPlaces(inbox: Inbox): ChosenPlaces {
	const chosen = inbox
		.choices()
		.flatMap(({ name, watching }) => (watching === 'nothing' ? [] : (watchedNamed(name) ?? [])));
	return {
		trackers: chosen.flatMap((each) => (each.kind === 'tracker' ? [each.ref] : [])),
		tickets: chosen.flatMap((each) => (each.kind === 'ticket' ? [each.ref] : [])),
		lists: chosen.flatMap((each) => {
			switch (each.kind) {
				case 'list':
					return [each.ref];
				case 'thread':
				case 'file':
					return [each.list];
				case 'patchset':
					return [each.ref.list];
				case 'tracker':
				case 'ticket':
				case 'repository':
					return [];
			}
		}),
		repositories: chosen.flatMap((each) => (each.kind === 'repository' ? [each.ref] : [])),
	};
}

/** The choice for the thing, else for its place, else the default. `thing` and `place` are inbox names. */
export function watchingOf(inbox: Inbox, thing: string, place: string, usual: Watching): Watching {
	const chosen = inbox.choice(thing);
	const ofPlace = inbox.choice(place);
	return chosen !== 'usual' ? chosen : ofPlace !== 'usual' ? ofPlace : usual;
}
