import * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import { resting } from '@forge-desk/base/timeSlice.ts';
import type { HardenedGit } from 'hardened-git/hardenedGit.ts';
import { firstWithHits, type Hits } from 'public-inbox/lines/firstWithHits.ts';
import { committedLines, type EditedLine } from 'public-inbox/lines/lineInClone.ts';
import { newestOfSeries } from 'public-inbox/port/newestOfSeries.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { ShortEmail } from 'sourcehut/port/list.ts';
import { choose } from '../../editor/ask/ask.ts';
import { notify, tellBriefly } from '../../editor/ask/notify.ts';
import { withProgress } from '../../editor/ask/progress.ts';
import { agoText } from '../../editor/ask/readBefore.ts';
import type { CommandHandler, CommandTable } from '../../editor/commands/feature.ts';
import { repositoryOf, type FindGit } from '../../editor/git/gitApi.ts';
import { run } from '../../editor/links/pageRequests.ts';
import { nameOfSender, visibleLine } from '../../engine/text/visible.ts';
import type { Connection, Connections } from '../../store/connection.ts';
import { watchedKey, watchedName, type Watched } from '../../store/inbox/watched.ts';
import { lineSearches, placeKey, searched, searchedPlaces, type SearchedPlace } from './searchedLists.ts';

interface LineThreadsContext {
	readonly connections: Connections;
	readonly ready: () => Promise<void>;
	readonly findGit: FindGit;
	readonly git: HardenedGit;
	readonly tellingOfGit: (handler: CommandHandler) => CommandHandler;
	/** The editor's storage of this workspace. */
	readonly flags: vscode.Memento;
	readonly clock: Clock;
}

/** From a line or file of a clone to the mails about it. */
export function lineThreadsCommands(context: LineThreadsContext): CommandTable {
	const { connections, git, tellingOfGit, flags, clock } = context;
	const committed = committedLines(git, resting(clock));
	const searchOf = lineSearches();

	/** Remembers the list that had hits for the clone. */
	async function asked<Hit>(
		{ root }: EditedLine,
		among: readonly Connection[],
		ask: (place: SearchedPlace) => Promise<readonly Hit[]>,
		signal: AbortSignal,
	): Promise<Hits<SearchedPlace, Hit> | undefined> {
		const key = `forge.lineThreads ${root}`;
		const places = searchedPlaces(among, flags.get<string>(key), signal);
		const hits = await firstWithHits(places, ask, isForgeError);
		await (hits && flags.update(key, placeKey(hits.place)));
		return hits;
	}

	async function aboutLine(edited: EditedLine, signal: AbortSignal): Promise<void> {
		const title = vscode.l10n.t('Searching for messages about the line…');
		const { line, hits } = await withProgress(title, signal, async (working) => {
			const found = await committed.of(edited, working);
			const ask = (place: SearchedPlace) => (found ? searchOf(place).of(found, working) : Promise.resolve([]));
			return { line: found, hits: found && (await asked(edited, connections.all(), ask, working)) };
		});
		const [best] = hits?.found ?? [];
		if (!line) {
			say(vscode.l10n.t('This line is not committed yet, so no message has it.'));
		} else if (!hits || !best) {
			const [commit, subject] = [line.commit.slice(0, 7), visibleLine(line.subject)];
			say(vscode.l10n.t('Your lists have no message about commit {0} ("{1}"), which has this line.', commit, subject));
		} else {
			if (!best.hasLine) {
				tellBriefly(vscode.l10n.t('No message has exactly this line'));
			}
			await openThread(hits.place, best.mail);
		}
	}

	async function aboutFile(edited: EditedLine, signal: AbortSignal): Promise<void> {
		const { path } = edited;
		const archives = connections.all().filter(({ lists }) => lists.uncached.fileTerms);
		const name = visibleLine(path);
		const title = vscode.l10n.t('Searching for patches of {0}…', name);
		const hits = await withProgress(title, signal, (working) =>
			asked(
				edited,
				archives,
				(place) => searched(place, place.connection.lists.uncached.fileTerms?.([path]) ?? '', working),
				working,
			),
		);
		if (!hits) {
			return archives.length === 0
				? say(vscode.l10n.t('Only email archives can be searched for files. Follow a list of an archive first.'))
				: say(vscode.l10n.t('Your lists have no patch of {0}.', name));
		}
		const { inbox } = hits.place.connection;
		const watched: Watched = { kind: 'file', list: hits.place.list, path };
		const isWatched = inbox.choice(watchedKey(watched)) === 'everything';
		const mail = await choose<ShortEmail | undefined>(vscode.l10n.t('Choose a patch of {0}', name), [
			...newestOfSeries(hits.found, ({ from = '' }) => nameOfSender(from)).map(({ mail: value, count }) => ({
				label: visibleLine(value.subject),
				description: [
					nameOfSender(value.from ?? ''),
					agoText(value.createdMs, clock.nowMs(), 'short'),
					...(count > 1 ? [vscode.l10n.t('patches: {0}', count)] : []),
				].join(' · '),
				iconPath: new vscode.ThemeIcon('diff'),
				value,
			})),
			// One key up from the first patch.
			{
				label: isWatched ? vscode.l10n.t('Stop Watching This File') : vscode.l10n.t('Watch This File'),
				description: vscode.l10n.t('new patches in your inbox'),
				iconPath: new vscode.ThemeIcon(isWatched ? 'eye-closed' : 'eye'),
				alwaysShow: true,
				value: undefined,
			},
		]);
		if (mail) {
			return openThread(hits.place, mail);
		}
		inbox.choose(watchedName(watched), isWatched ? 'usual' : 'everything');
		tellBriefly(
			isWatched
				? vscode.l10n.t('Stopped watching {0}', name)
				: vscode.l10n.t('New patches of {0} come to your inbox', name),
		);
	}

	const ofEditor = (work: (edited: EditedLine, signal: AbortSignal) => Promise<void>): CommandHandler =>
		tellingOfGit(async (_, signal) => {
			const edited = await editedLine(context, signal);
			await (edited ? work(edited, signal) : say(vscode.l10n.t('Open a file of a clone first.')));
		});
	return { 'forge.lists.aboutLine': ofEditor(aboutLine), 'forge.lists.aboutFile': ofEditor(aboutFile) };
}

async function editedLine(
	{ ready, findGit }: LineThreadsContext,
	signal: AbortSignal,
): Promise<EditedLine | undefined> {
	const { document, selection } = vscode.window.activeTextEditor ?? {};
	await ready();
	const git = await findGit(signal);
	const repository = document && git && repositoryOf(git, document.uri);
	const commit = repository?.state.HEAD?.commit;
	if (!document || !selection || !repository || commit === undefined) {
		return undefined;
	}
	const { rootUri } = repository;
	const path = document.uri.path.slice(rootUri.path.length).replace(/^\//, '');
	return { root: rootUri.fsPath, path, commit, text: document.getText(), line: selection.active.line };
}

async function openThread({ connection, list }: SearchedPlace, { id, messageId }: ShortEmail): Promise<void> {
	await run('forge.lists.openThread', { kind: 'mail', connectionKey: connection.key, list, id, messageId });
}

/** Not awaited: the notice may stay open for hours. */
function say(message: string): void {
	void notify('information', message);
}
