import * as vscode from 'vscode';
import { assertNever } from '@forge-desk/base/assertNever.ts';
import { choose } from '../ask/ask.ts';
import { confirm, notify } from '../ask/notify.ts';
import { withProgress } from '../ask/progress.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { unlessMissing } from 'sourcehut/port/isAway.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { Connection } from '../../store/connection.ts';
import { entryKind } from '../../store/repositories/repositoryEntries.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import type { Destination, MailPlace } from 'sourcehut/port/destination.ts';
import { findMail } from '../../store/lists/findMail.ts';
import type { FoundMail } from '../../store/lists/listContents.ts';
import { destinationLooks, destinationText } from './destinationText.ts';
import { likelyReading, readingAmong, destinationOfReading } from 'sourcehut/web/repositoryWay.ts';

/**
 * Opens a destination with its own area's command. Destinations without a view open on the web after a confirmation.
 * `connection`: the account that reads it; `undefined` only for unknown forges.
 */
export async function openDestination(
	connection: Connection | undefined,
	to: Destination,
	signal: AbortSignal,
): Promise<void> {
	if (to.kind === 'web' || !connection) {
		if (
			to.kind === 'web' &&
			(await confirm(
				vscode.l10n.t('This page can only be shown on the web.'),
				visibleLine(to.href),
				vscode.l10n.t('Open on the Web'),
			))
		) {
			await openExactly(to.href);
		}
		return;
	}
	const connectionKey = connection.key;
	switch (to.kind) {
		case 'ticket':
			return run('forge.tickets.open', { ...to, connectionKey });
		case 'tracker':
			return run('forge.trackers.show', { ...to, connectionKey });
		case 'list':
			return run('forge.lists.show', { kind: 'list', connectionKey, ref: to.ref });
		case 'patchset':
			return openPatchset(connection, to, signal);
		case 'mail': {
			// Mails open by number; the forge returns it, and the list if the address lacks one.
			const found = await lookForMail(connection, to, signal);
			if (!found?.list) {
				return notThere(vscode.l10n.t('{0} has no message with this Message-ID.', connection.instance.name));
			}
			const { list, mail } = found;
			const { messageId } = to;
			return run('forge.lists.openThread', { kind: 'mail', connectionKey, list, id: mail.id, messageId });
		}
		case 'repository':
			return run('forge.repositories.open', { kind: 'repository', connectionKey, ref: to.ref });
		case 'reference':
			return run('forge.repositories.openFile', {
				kind: 'reference',
				connectionKey,
				ref: to.ref,
				revision: to.revision,
			});
		case 'file': {
			// File and folder addresses look alike, so check the entry; a folder offers its files.
			const { ref, at, lines } = to;
			const title = vscode.l10n.t('Searching for {0}…', visibleLine(at.path));
			const { folders } = connection.repositories;
			const found = await withProgress(title, signal, (working) => folders.find(ref, at, working));
			const isFolder = found.kind === 'root' || entryKind(found.entry) === 'folder';
			return run('forge.repositories.openFile', {
				kind: isFolder ? 'folder' : 'file',
				connectionKey,
				ref,
				at,
				...(isFolder || !lines ? {} : { lines }),
			});
		}
		case 'inRepository':
			return openDestination(connection, await readWay(connection, to, signal), signal);
		case 'log': {
			// The commits of a reference are chosen from; those of a file or folder are its history.
			const { ref, revision, path } = to;
			return path === undefined
				? run('forge.repositories.openCommit', { kind: 'reference', connectionKey, ref, revision })
				: run('forge.repositories.fileHistory', { kind: 'file', connectionKey, ref, at: { ref: revision, path } });
		}
		case 'commit':
			return run('forge.repositories.openCommit', { kind: 'commit', connectionKey, ref: to.ref, id: to.id });
		case 'person':
			return run('forge.people.open', { kind: 'person', connectionKey, name: to.name });
		case 'named':
			return openNamed(connection, to, signal);
		default:
			return assertNever(to);
	}
}

async function run(command: string, subject: unknown): Promise<void> {
	await vscode.commands.executeCommand(command, subject);
}

function lookForMail(connection: Connection, place: MailPlace, signal: AbortSignal): Promise<FoundMail | undefined> {
	return withProgress(vscode.l10n.t('Searching for the message…'), signal, (working) =>
		findMail(connection.lists, place, working),
	);
}

/** Opens a reply or patch in the thread, or a file of a patch. */
async function openPatchset(
	connection: Connection,
	{ ref, mail: messageId, file: path }: Extract<Destination, { kind: 'patchset' }>,
	signal: AbortSignal,
): Promise<void> {
	const { list, id: patchsetId } = ref;
	const found = messageId === undefined ? undefined : await lookForMail(connection, { messageId, list }, signal);
	const connectionKey = connection.key;
	if (!found) {
		return run('forge.patchsets.open', { kind: 'patchset', connectionKey, ref });
	}
	const { id } = found.mail;
	await (path === undefined
		? run('forge.lists.openThread', { kind: 'mail', connectionKey, list, id, messageId })
		: run('forge.patchsets.openDiff', { kind: 'patchFile', connectionKey, list, patchsetId, mailId: id, path }));
}

/**
 * Asks all areas of the forge at once, and the user if several have the name. A failing area must not hide results of the
 * others.
 */
async function openNamed(
	connection: Connection,
	{ ref }: Extract<Destination, { kind: 'named' }>,
	signal: AbortSignal,
): Promise<void> {
	const { todo, lists, git } = connection.instance.areas;
	const title = vscode.l10n.t('Searching for {0}…', visibleLine(refText(ref)));
	const all = await withProgress(title, signal, async (working) => {
		const looked = await Promise.allSettled([
			todo === undefined ? undefined : exists('tracker', connection.tickets.tracker(ref, working)),
			lists === undefined ? undefined : exists('list', connection.lists.list(ref, working)),
			git === undefined ? undefined : exists('repository', connection.repositories.metadata.get(ref, working)),
		]);
		working.throwIfAborted();
		return looked;
	});
	const found = all.flatMap((looked): readonly Destination[] =>
		looked.status === 'fulfilled' && looked.value !== undefined ? [{ kind: looked.value, ref }] : [],
	);
	const [only] = found;
	if (!only) {
		// No results, but the search was incomplete.
		const failed = all.find((looked) => looked.status === 'rejected');
		if (failed) {
			throw failed.reason;
		}
		return notThere(
			vscode.l10n.t(
				"{1} is not a tracker, list or repository on {0}, or you don't have access to it.",
				connection.instance.name,
				visibleLine(refText(ref)),
			),
		);
	}
	const chosen =
		found.length === 1
			? only
			: await choose(
					vscode.l10n.t('Choose what to go to'),
					found.map((to) => ({
						label: destinationText(to),
						iconPath: new vscode.ThemeIcon(destinationLooks[to.kind].icon),
						value: to,
					})),
				);
	await openDestination(connection, chosen, signal);
}

async function exists<K extends 'tracker' | 'list' | 'repository'>(
	kind: K,
	reading: Promise<unknown>,
): Promise<K | undefined> {
	return (await unlessMissing(reading)) === undefined ? undefined : kind;
}

/** Not awaited: the notice may stay open for hours. */
function notThere(message: string): void {
	void notify('information', message);
}

/** References of more pages are not read to understand one address. */
const mostPages = 40;

/**
 * Resolves an address that depends on the repository's references. Without references or a match, takes the most likely
 * meaning; below `refs` that is a web page, such as a file of a tag.
 */
export async function readWay(
	{ repositories }: Connection,
	{ ref, way, href }: Extract<Destination, { kind: 'inRepository' }>,
	signal: AbortSignal,
): Promise<Destination> {
	const title = vscode.l10n.t('Searching for {0}…', visibleLine(way.steps.join('/')));
	const names = await withProgress(title, signal, async (working) => {
		try {
			let listing = await repositories.references(ref).first(working);
			for (let pages = 1; listing.completeness.kind === 'more' && pages < mostPages; pages++) {
				listing = await repositories.references(ref).more(working);
			}
			return new Set(listing.items.map(({ name }) => name));
		} catch (error) {
			if (isForgeError(error) && untold.includes(error.problem.kind)) {
				return new Set<string>();
			}
			throw error;
		}
	});
	const reading = readingAmong(way, names);
	if (!reading && way.page === 'refs') {
		return { kind: 'web', href };
	}
	return destinationOfReading(ref, way, reading ?? likelyReading(way));
}

/** Newer servers have no such route, and a token may not reach so far. */
const untold: readonly string[] = [
	'notFound',
	'notAllowed',
	'missingScope',
	'serverError',
	'notUnderstood',
	'notOffered',
];

/**
 * Opens exactly this address. Parsing and formatting a Uri changes the escapes of some addresses, such as one inside a
 * query or a folder `C#`; a string, missing in the typings, goes through unchanged. The editor may ask first; the
 * promise stays pending if the user copies the address there.
 */
export async function openExactly(address: string): Promise<void> {
	await Reflect.apply(vscode.env.openExternal, vscode.env, [address]);
}
