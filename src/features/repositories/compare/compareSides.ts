import * as vscode from 'vscode';
import { choose, type Choice } from '../../../editor/ask.ts';
import { notify, tellBriefly } from '../../../editor/notify.ts';
import { withProgress } from '../../../editor/progress.ts';
import { connectionOf } from '../../../editor/subjects.ts';
import { ForgeError } from '../../../forge/forgeError.ts';
import { repositoryRefText } from '../../../forge/repository.ts';
import { changedFiles, type ChangedFiles } from '../../../state/changedFiles.ts';
import type { Connection } from '../../../state/connection.ts';
import { historySource } from '../../../state/historyReads.ts';
import { mergeBases } from '../../../state/mergeBases.ts';
import { pickReference } from '../references/pickReference.ts';
import type { RepositoriesParts } from '../repositoriesParts.ts';
import { askRepository } from '../repositoryQuestions.ts';
import { repositoriesSubject, type RepositoriesSubject } from '../subjects.ts';
import { shownName } from '../words.ts';
import { comparisonSubject } from './changeSubject.ts';
import { openFiles, shortId, type Within } from './openFiles.ts';

/** Pages of the log that are read to find where two commits parted. */
const pagesForBase = 20;

/** One side of a comparison: a revision by the name that people know it by. */
interface Side extends Within {
	readonly revision: string;
}

/** What is shown of two sides. */
interface Comparing extends Within {
	readonly before: string;
	readonly after: string;
	/** `everything`: `git diff a b`; `sinceParted`: `git diff a...b`. */
	readonly what: 'everything' | 'sinceParted';
}

/** The commands that compare references, and what they remember for each other. */
export interface SideComparison {
	/** Compares two references; asks for those that were not given. Two commits that were given are shown at once. */
	compare(subject: unknown, signal: AbortSignal): Promise<void>;
	/** Remembers one side. */
	select(subject: unknown, signal: AbortSignal): Promise<void>;
	/** Compares with the side that was remembered. */
	compareWithSelected(subject: unknown, signal: AbortSignal): Promise<void>;
	/** Shows the last comparison the other way round. */
	swap(subject: unknown, signal: AbortSignal): Promise<void>;
}

/** Holds the side that was selected and what was compared last, until the window goes. */
export function sideComparison(parts: RepositoriesParts): SideComparison {
	let selected: Side | undefined;
	let last: Comparing | undefined;

	async function show(comparing: Comparing, signal: AbortSignal): Promise<void> {
		await open(connectionOf(parts.connections, comparing), comparing, signal);
		last = comparing;
	}

	async function sideOf(subject: unknown, title: string, signal: AbortSignal): Promise<Side> {
		const given = repositoriesSubject(subject);
		const revision = given && revisionIn(given);
		const { connectionKey, ref } = given ?? (await askRepository(parts.connections, 'any', signal));
		if (revision !== undefined) {
			return { connectionKey, ref, revision };
		}
		const connection = connectionOf(parts.connections, { connectionKey });
		return {
			connectionKey,
			ref,
			revision: await pickReference({ title, connection, ref }, signal),
		};
	}

	async function compare(subject: unknown, signal: AbortSignal): Promise<void> {
		const commits = comparisonSubject(subject);
		if (commits) {
			return show({ ...commits, what: 'everything' }, signal);
		}
		const one = await sideOf(subject, vscode.l10n.t('Compare which branch, tag or commit?'), signal);
		const connection = connectionOf(parts.connections, one);
		const title = vscode.l10n.t('Compare {0} with which branch, tag or commit?', shownOf(one.revision));
		const revision = await pickReference({ title, connection, ref: one.ref }, signal);
		await show(await askWhat(one, revision), signal);
	}

	return {
		compare,
		async select(subject, signal) {
			selected = await sideOf(subject, vscode.l10n.t('Select which branch, tag or commit?'), signal);
			await vscode.commands.executeCommand('setContext', 'forge.repositories.selected', true);
		},
		async compareWithSelected(subject, signal) {
			const side = selected;
			if (!side) {
				return compare(subject, signal);
			}
			const other = await sideOf(
				subject,
				vscode.l10n.t('Compare {0} with which branch, tag or commit?', shownOf(side.revision)),
				signal,
			);
			if (other.connectionKey !== side.connectionKey || repositoryRefText(other.ref) !== repositoryRefText(side.ref)) {
				const message = vscode.l10n.t(
					'{0} was selected in {1}. Select two revisions of one repository.',
					shownOf(side.revision),
					shownName(repositoryRefText(side.ref)),
				);
				await notify('information', message);
				return;
			}
			await show(await askWhat(other, side.revision), signal);
		},
		async swap(subject, signal) {
			await (last ? show({ ...last, before: last.after, after: last.before }, signal) : compare(subject, signal));
		},
	};
}

/** The revision that a subject stands at; `undefined` for a repository as a whole. */
function revisionIn(subject: RepositoriesSubject): string | undefined {
	switch (subject.kind) {
		case 'repository':
			return undefined;
		case 'reference':
			return subject.revision;
		case 'commit':
			return subject.id;
		case 'folder':
		case 'file':
		case 'submodule':
			return subject.at.ref;
	}
}

/** Full ids are shown short; names stay whole. */
export function shownOf(revision: string): string {
	return shownName(/^[0-9a-f]{40,64}$/.test(revision) ? shortId(revision) : revision);
}

/** `one` is what the comparison is about, so it comes last at first. */
function askWhat(one: Side, revision: string): Promise<Comparing> {
	const { connectionKey, ref } = one;
	const [name, other] = [shownOf(one.revision), shownOf(revision)];
	const there = { connectionKey, ref, before: revision, after: one.revision };
	const back = { connectionKey, ref, before: one.revision, after: revision };
	const rows: readonly Choice<Comparing>[] = [
		{
			label: vscode.l10n.t('{0} → {1}', other, name),
			description: vscode.l10n.t('everything that is different'),
			value: { ...there, what: 'everything' },
		},
		{
			label: vscode.l10n.t('Only what {0} changed', name),
			description: vscode.l10n.t('since it parted from {0}', other),
			value: { ...there, what: 'sinceParted' },
		},
		{
			label: vscode.l10n.t('{0} → {1}', name, other),
			description: vscode.l10n.t('the other way round'),
			value: { ...back, what: 'everything' },
		},
		{
			label: vscode.l10n.t('Only what {0} changed', other),
			description: vscode.l10n.t('since it parted from {0}', name),
			value: { ...back, what: 'sinceParted' },
		},
	];
	return choose(vscode.l10n.t('Show what of {0} and {1}?', other, name), rows);
}

async function open(connection: Connection, comparing: Comparing, signal: AbortSignal): Promise<void> {
	const [before, after] = [shownOf(comparing.before), shownOf(comparing.after)];
	const found = await withProgress(vscode.l10n.t('Comparing {0} with {1}…', before, after), signal, (working) =>
		read(connection, comparing, working),
	);
	switch (found.kind) {
		case 'none':
		case 'tooFar': {
			const message =
				found.kind === 'none'
					? vscode.l10n.t(
							'{0} and {1} have no commit in common. Everything that is different can be shown.',
							before,
							after,
						)
					: vscode.l10n.t(
							'Where {0} and {1} parted was not found in {2} pages of the log. Everything that is different can be shown.',
							before,
							after,
							pagesForBase,
						);
			const everything = vscode.l10n.t('Show Everything');
			if ((await notify('information', message, everything)) === everything) {
				await open(connection, { ...comparing, what: 'everything' }, signal);
			}
			return;
		}
		case 'everything':
			return openFiles(comparing, found.changed, {
				title: vscode.l10n.t('{0} → {1}', before, after),
				nothing: vscode.l10n.t('{0} and {1} hold the same files.', before, after),
			});
		case 'sinceParted':
			if (found.others > 0) {
				tellBriefly(vscode.l10n.t('They parted at {0} commits. The newest is taken.', found.others + 1));
			}
			return openFiles(comparing, found.changed, {
				title: vscode.l10n.t('{0} since it parted from {1} at {2}', after, before, shortId(found.base)),
				nothing: vscode.l10n.t('{0} changed no file since it parted from {1}.', after, before),
			});
	}
}

type Compared =
	| { readonly kind: 'everything'; readonly changed: ChangedFiles }
	/** `base`: where they parted; the newest such place where there are `others`. */
	| {
			readonly kind: 'sinceParted';
			readonly changed: ChangedFiles;
			readonly base: string;
			readonly others: number;
	  }
	| { readonly kind: 'none' | 'tooFar' };

async function read(
	{ repositories }: Connection,
	{ ref, before, after, what }: Comparing,
	signal: AbortSignal,
): Promise<Compared> {
	const [one, other] = await Promise.all(
		[before, after].map((revision) => repositories.standing(ref, revision, signal)),
	);
	if (!one || !other) {
		throw new ForgeError({ kind: 'notFound' });
	}
	const commits = [one.commit.id, other.commit.id] as const;
	if (what === 'everything') {
		const changed = await changedFiles(repositories, { ref, before: commits[0], after: commits[1] }, signal);
		return { kind: 'everything', changed };
	}
	const source = historySource(repositories, ref);
	const bases = await mergeBases({ source, commits, requests: pagesForBase }, signal);
	if (bases.kind !== 'found') {
		return bases;
	}
	const [base, ...others] = bases.ids;
	return {
		kind: 'sinceParted',
		changed: await changedFiles(repositories, { ref, before: base, after: commits[1] }, signal),
		base,
		others: others.length,
	};
}
