import * as vscode from 'vscode';
import { thingIcon } from '../../editor/names/thingIcon.ts';
import { choose } from '../../editor/ask/ask.ts';
import type { CommandHandler } from '../../editor/commands/feature.ts';
import { connectionOf } from '../../editor/commands/subjects.ts';
import type { Connection, Connections } from '../../store/connection.ts';
import type { Watching, WatchWord } from '../../store/inbox/inboxBook.ts';
import { thingKey } from '../../store/inbox/inboxEntry.ts';
import { watchedKey, watchedName, watchedNamed, type Watched, placeOfWatched } from '../../store/inbox/watched.ts';
import { knownLists } from '../../store/lists/knownLists.ts';
import type { InboxContext } from './inboxContext.ts';
import { inboxSubject, thingsIn } from './inboxTargets.ts';
import { thingTitle, watchedTitle } from './inboxWords.ts';
import { tellBriefly } from '../../editor/ask/notify.ts';
import { listKey } from 'sourcehut/port/list.ts';
import { refText } from 'sourcehut/port/namedRef.ts';

/** A thing of one account that the user can watch. */
interface ToWatch {
	readonly connection: Connection;
	readonly watched: Watched;
	/** Readable name. */
	readonly title: string;
}

/**
 * Asks how much of the selected rows or the active page the inbox shows. From the palette it first asks for the thing.
 */
export function watchCommand({ connections, watchedOf, pageInFront }: InboxContext): CommandHandler {
	function found(subject: unknown): readonly ToWatch[] {
		const row = inboxSubject(subject);
		if (row) {
			const connection = connectionOf(connections, row);
			const key =
				row.kind === 'inboxThing'
					? row.thing
					: connection.inbox.items().flatMap(({ entry }) => (entry.id === row.id ? [thingKey(entry.thing)] : []))[0];
			return thingsToWatch(connection).filter(({ watched }) => watchedKey(watched) === key);
		}
		const meant = watchedOf(subject);
		return meant
			? [{ connection: connectionOf(connections, meant), watched: meant.watched, title: watchedTitle(meant.watched) }]
			: [];
	}

	return async (subject, signal, selected) => {
		const rows = (selected.length > 0 ? selected : [subject]).flatMap(found);
		const inFront = rows.length > 0 ? rows : found(pageInFront());
		const all = inFront.length > 0 ? inFront : [await askWhat(connections, signal)];
		const word = await askWord(all);
		all.forEach(({ connection, watched }) => connection.inbox.choose(watchedName(watched), word));
		const text = chosenText(
			all.map(({ title }) => title),
			word,
		);
		if (text !== undefined) {
			tellBriefly(text);
		}
	};
}

async function askWhat(connections: Connections, signal: AbortSignal): Promise<ToWatch> {
	/** Things in the inbox first, then the account's own and subscribed things. Skips lists that can't be loaded. */
	const all = connections.all().map(async (connection): Promise<readonly ToWatch[]> => {
		const { tickets, lists, repositories } = connection;
		const known = await knownLists(lists.collection, signal);
		const places: readonly Watched[] = [
			...tickets.knownTrackers().map((ref): Watched => ({ kind: 'tracker', ref })),
			...known.lists.map((ref): Watched => ({ kind: 'list', ref })),
			...repositories.followed.all().map((ref): Watched => ({ kind: 'repository', ref })),
		];
		return [
			...thingsToWatch(connection),
			...places.map((watched) => ({ connection, watched, title: watchedTitle(watched) })),
		];
	});
	return choose(
		vscode.l10n.t('Choose what to watch'),
		Promise.all(all).then((found) =>
			found.flat().map((value) => {
				const { connection, watched } = value;
				const chosen = connection.inbox.choice(watchedKey(watched));
				return {
					label: value.title,
					description: wordText(chosen === 'usual' ? usualWatching(connection, watched) : chosen),
					iconPath: new vscode.ThemeIcon(thingIcon(watched)),
					value,
				};
			}),
		),
	);
}

function thingsToWatch(connection: Connection): readonly ToWatch[] {
	const files = connection.inbox.choices().flatMap(({ name }) => {
		const watched = watchedNamed(name);
		return watched?.kind === 'file' ? [{ connection, watched, title: watchedTitle(watched) }] : [];
	});
	const things = thingsIn(connection.inbox, true).map(({ thing }) => {
		return { connection, watched: thing, title: thingTitle(thing) };
	});
	return [...things, ...files];
}

async function askWord(all: readonly ToWatch[]): Promise<WatchWord> {
	const [first] = all;
	const present = new Set(all.map(({ connection, watched }) => connection.inbox.choice(watchedKey(watched))));
	const usual = new Set(all.map(({ connection, watched }) => usualWatching(connection, watched)));
	const [onlyUsual] = usual.size === 1 ? usual : [];
	const usualDetails: Readonly<Record<Watching, string>> = {
		everything: vscode.l10n.t('Watching everything'),
		concerns: vscode.l10n.t('Watching participation and mentions'),
		nothing: vscode.l10n.t('Muted'),
	};
	const details: Readonly<Record<WatchWord, string>> = {
		everything: vscode.l10n.t('All that happens, also where you do not follow it'),
		concerns: vscode.l10n.t('Mentions, assignments, replies to you, and threads and tickets that you participate in'),
		nothing: vscode.l10n.t('Muted'),
		usual: onlyUsual ? usualDetails[onlyUsual] : vscode.l10n.t('Differs between the selected items'),
	};
	// Pushes and patches of a file concern every watcher.
	const words: readonly WatchWord[] = all.every(({ watched: { kind } }) => kind === 'repository' || kind === 'file')
		? ['everything', 'nothing', 'usual']
		: ['everything', 'concerns', 'nothing', 'usual'];
	return choose(
		first && all.length === 1
			? vscode.l10n.t('Choose what of "{0}" comes to your inbox', first.title)
			: vscode.l10n.t('Choose what comes to your inbox from {0} items', all.length),
		words.map((value) => ({
			label: value === 'usual' ? vscode.l10n.t('Default') : wordText(value),
			...(present.size === 1 && present.has(value) ? { description: vscode.l10n.t('current') } : {}),
			detail: details[value],
			value,
		})),
	);
}

/** Titles of the choices. */
function wordText(word: Watching): string {
	const texts: Readonly<Record<Watching, string>> = {
		everything: vscode.l10n.t('Everything'),
		concerns: vscode.l10n.t('Participating and mentions'),
		nothing: vscode.l10n.t('Nothing'),
	};
	return texts[word];
}

/** Confirms a choice with the things' titles; `undefined` without any. */
export function chosenText(titles: readonly string[], word: WatchWord): string | undefined {
	const [title, ...others] = titles;
	if (title === undefined) {
		return undefined;
	}
	const count = titles.length;
	const texts: Readonly<Record<WatchWord, string>> =
		others.length === 0
			? {
					everything: vscode.l10n.t('Watching everything in "{0}".', title),
					concerns: vscode.l10n.t('Watching participation and mentions in "{0}".', title),
					nothing: vscode.l10n.t('Muted "{0}".', title),
					usual: vscode.l10n.t('Restored the default for "{0}".', title),
				}
			: {
					everything: vscode.l10n.t('Watching everything in {0} items.', count),
					concerns: vscode.l10n.t('Watching participation and mentions in {0} items.', count),
					nothing: vscode.l10n.t('Muted {0} items.', count),
					usual: vscode.l10n.t('Restored the default for {0} items.', count),
				};
	return texts[word];
}

/**
 * Default choice: that of the place for its things; else everything for own things, things of concern for followed ones
 * and for threads with own mails, and pushes for repositories.
 */
export function usualWatching(of: Connection, watched: Watched): Watching {
	if (watched.kind === 'file') {
		return 'nothing';
	}
	const place = placeOfWatched(watched);
	const ofPlace = place === watched ? 'usual' : of.inbox.choice(watchedKey(place));
	if (ofPlace !== 'usual') {
		return ofPlace;
	}
	switch (place.kind) {
		case 'tracker':
			return place.ref.owner === of.me
				? 'everything'
				: of.tickets.knownTrackers().some((each) => isSame(refText(each), refText(place.ref)))
					? 'concerns'
					: 'nothing';
		case 'list': {
			const { collection, followed } = of.lists;
			if (collection.isMine(place.ref)) {
				return 'everything';
			}
			const key = listKey(place.ref);
			const isFollowed = followed.all().some((each) => listKey(each) === key);
			const isKnown = isFollowed || collection.subscription(place.ref) !== undefined;
			// The inbox knows threads and patchsets outside the watch that the account takes part in.
			const takesPart = watched.kind !== 'list' && of.inbox.position(watchedKey(watched)) !== undefined;
			return isKnown || takesPart ? 'concerns' : 'nothing';
		}
		case 'repository':
			return of.repositories.followed.all().some((each) => isSame(refText(each), refText(place.ref)))
				? 'everything'
				: 'nothing';
	}
}

function isSame(one: string, other: string): boolean {
	return one.toLowerCase() === other.toLowerCase();
}
