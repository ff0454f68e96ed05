import * as vscode from 'vscode';
import { isSameValue } from '../../../base/isSameValue.ts';
import { choose, type Choice } from '../../../editor/ask/ask.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { subjectPrefix, type LocalCommit } from 'hardened-git/localSeries.ts';
import type { MailPerson } from 'patchmail/mail/readableMail.ts';
import { peopleText } from 'patchmail/mail/writtenAddress.ts';
import { replyPeople, type ReplyOwner } from 'patchmail/review/replyPeople.ts';
import { shortLine, visibleLine } from '../../../engine/text/visible.ts';
import type { ListRef, Patchset, PatchsetRef } from 'sourcehut/port/list.ts';
import type { Connection } from '../../../store/connection.ts';
import { seriesAlone } from '../../../store/lists/patchsets/seriesAlone.ts';
import type { PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import { askTrailers, carriedTrailers, isForSame, localReading, type CarriedTrailer } from './carriedTrailers.ts';
import { commandPeople, type CommandPeople } from './commandPeople.ts';
import { withProvenAddresses } from '../apply/secondAddresses.ts';
import { listOf } from './savedSeries.ts';
import { patchesOf, type SeriesMailOfCommit } from './commitMails.ts';
import {
	askCopies,
	askEarlier,
	askTag,
	earlierSeries,
	likelyCopies,
	likelyTag,
	type EarlierSeries,
} from './earlierVersion.ts';
import { rangeDiffBetween } from './coverLetter.ts';
import { commandText, commitsText } from './submitWords.ts';
import type { SubmitContext } from './submitContext.ts';

/** Commits to send. */
export interface CommitRange {
	/** Parent of the first commit. */
	readonly base: string;
	readonly tip: string;
	/** Oldest first. */
	readonly commits: readonly LocalCommit[];
}

/** Source and destination of a series. */
export interface SubmitPlace {
	readonly connection: Connection;
	readonly list: ListRef;
	/** Top folder of the clone, and its branch, if one is checked out. */
	readonly root: string;
	readonly branch: string | undefined;
	readonly from: MailPerson;
	readonly owner: ReplyOwner;
	/** Asks for other commits. Throws `cancelled()`. */
	readonly askRange: () => Promise<CommitRange>;
}

interface ReadRange {
	readonly range: CommitRange;
	readonly patches: readonly SeriesMailOfCommit[];
	readonly known: EarlierSeries;
	/** Results of commands in git's settings. */
	readonly commands: readonly CommandPeople[];
}

/** A series as it would be prepared now. */
export interface SubmitPlan extends ReadRange {
	/** The version before this one. */
	readonly before: PatchsetReview | undefined;
	readonly tag: string;
	readonly hasCover: boolean;
	/** Besides the list. */
	readonly to: readonly MailPerson[];
	readonly cc: readonly MailPerson[];
	/** Trailers given to the version before, and those of them that the mails get. */
	readonly offered: readonly CarriedTrailer[];
	readonly trailers: readonly CarriedTrailer[];
}

/**
 * The likely answers to all questions about commits. `declined`: settings whose commands do not run. Throws `cancelled()`
 * and `GitFailure`.
 */
export async function likelyPlan(
	parts: SubmitContext,
	place: SubmitPlace,
	range: CommitRange,
	declined: ReadonlySet<string>,
	signal: AbortSignal,
): Promise<SubmitPlan> {
	const { connection, list, root, branch, from } = place;
	const title = vscode.l10n.t('Preparing patches…');
	const read = await withProgress(title, signal, async (working) => {
		const source = { root, base: range.base, tip: range.tip, tag: 'PATCH', from };
		const { patches } = await patchesOf(parts, source, true, working);
		const before = parts.series.fromBranch(root, branch).filter(({ isDone }) => isDone === true);
		const here = { kind: 'list', connectionKey: connection.key, ref: list } as const;
		const sentTitle = before.find((each) => isSameValue(listOf(each), here))?.title;
		const local = { commits: range.commits, patches, sentTitle };
		const known = await earlierSeries(connection, list, from.address, local, working);
		return { range, patches, known };
	});
	const commands = await commandPeople(parts, root, read.patches, declined, signal);
	const facts = { ...read, commands, earlier: read.known.likely };
	return withProgress(title, signal, (working) => withVersion(parts, place, facts, working));
}

/** Recipients by git's settings, without the list and the person's own addresses. */
function addedPeople(commands: readonly CommandPeople[], { own, posting }: ReplyOwner) {
	const of = (wanted: CommandPeople['field']): readonly MailPerson[] =>
		commands.flatMap(({ field, people }) => (field === wanted ? (people ?? []) : []));
	const { cc: to } = replyPeople(undefined, { own, posting }, of('to'));
	return { to, cc: of('cc'), owner: { posting, own: [...own, ...to.map(({ address }) => address)] } };
}

/** Everything that follows from the version: prefix, recipients, cover letter and trailers. */
async function withVersion(
	parts: SubmitContext,
	{ connection, list, root, owner }: SubmitPlace,
	{ earlier, ...facts }: ReadRange & { readonly earlier: Patchset | undefined },
	signal: AbortSignal,
): Promise<SubmitPlan> {
	const configured = await subjectPrefix(parts.git, root, signal);
	const read = earlier && (await connection.reviews.readWithEarlier({ list, id: earlier.id }, signal));
	const before = read && (await withProvenAddresses(parts, connection, read, root, signal));
	const added = addedPeople(facts.commands, owner);
	const offered = before ? carriedTrailers(connection, facts.patches, before) : [];
	return {
		...facts,
		before,
		tag: likelyTag(configured, earlier, connection.lists.knownPatchsets(list)),
		// A series of several patches, and one that had a cover letter before, mostly has one.
		hasCover: facts.patches.length > 1 || earlier?.coverLetter !== undefined,
		to: added.to,
		cc: likelyCopies(before, facts.range.commits, added.cc, added.owner),
		offered,
		trailers: offered.filter(isForSame),
	};
}

type PlanRow =
	| 'done'
	| 'range'
	| 'version'
	| 'tag'
	| 'cover'
	| 'copies'
	| 'commands'
	| 'trailers'
	/** The patchset to compare with, and its version. */
	| { readonly earlier: number; readonly version: number };

/** Shows the plan as one list, whose first row accepts it, until the user accepts. Throws `cancelled()` and `GitFailure`. */
export async function askPlan(
	parts: SubmitContext,
	place: SubmitPlace,
	likely: SubmitPlan,
	signal: AbortSignal,
): Promise<SubmitPlan> {
	let plan = likely;
	for (;;) {
		const title = vscode.l10n.t(
			'Send {0} to {1}',
			commitsText(plan.patches.length),
			`${place.list.owner}/${place.list.name}`,
		);
		const row = await choose<PlanRow>(title, planRows(plan));
		if (typeof row === 'object') {
			const ref = { list: place.list, id: row.earlier };
			const about = { ref, title: `v${row.version}..${plan.tag}` };
			await showDifference(parts, place.connection, about, plan.patches, signal);
			continue;
		}
		switch (row) {
			case 'done':
				return plan;
			case 'range': {
				const declined = new Set(plan.commands.flatMap(({ setting, people }) => (people ? [] : [setting])));
				plan = await likelyPlan(parts, place, await place.askRange(), declined, signal);
				break;
			}
			case 'version': {
				const earlier = await askEarlier(plan.known);
				const { range, patches, known, commands } = plan;
				plan = await withProgress(vscode.l10n.t('Loading the earlier version…'), signal, (working) =>
					withVersion(parts, place, { range, patches, known, commands, earlier }, working),
				);
				break;
			}
			case 'tag':
				plan = { ...plan, tag: await askTag(plan.tag) };
				break;
			case 'cover':
				plan = { ...plan, hasCover: !plan.hasCover };
				break;
			case 'copies':
				plan = { ...plan, cc: await askCopies(plan.cc) };
				break;
			case 'commands': {
				const commands = await commandPeople(parts, place.root, plan.patches, new Set(), signal);
				const { to, cc, owner } = addedPeople(commands, place.owner);
				plan = { ...plan, commands, to, cc: replyPeople(undefined, owner, [...plan.cc, ...cc]).cc };
				break;
			}
			case 'trailers':
				plan = { ...plan, trailers: await askTrailers(plan.offered, plan.trailers) };
				break;
		}
	}
}

function planRows(plan: SubmitPlan): readonly Choice<PlanRow>[] {
	const { range, before, tag, hasCover, cc, commands, offered, trailers } = plan;
	const titles = range.commits.map(({ subject }) => subject).join(' · ');
	const nothing = vscode.l10n.t('None');
	return [
		hasCover
			? { label: vscode.l10n.t('Write Cover Letter…'), iconPath: new vscode.ThemeIcon('edit'), value: 'done' }
			: { label: vscode.l10n.t('Preview Patches'), iconPath: new vscode.ThemeIcon('open-preview'), value: 'done' },
		{
			label: vscode.l10n.t('Commits…'),
			description: commitsText(range.commits.length),
			detail: shortLine(titles, 300),
			iconPath: new vscode.ThemeIcon('git-branch'),
			value: 'range',
		},
		{
			label: vscode.l10n.t('Version…'),
			description: before
				? vscode.l10n.t('Version {0} of "{1}"', before.patchset.version + 1, visibleLine(before.patchset.subject))
				: vscode.l10n.t('New Series'),
			iconPath: new vscode.ThemeIcon('versions'),
			value: 'version',
		},
		{
			label: vscode.l10n.t('Prefix…'),
			description: `[${tag}]`,
			iconPath: new vscode.ThemeIcon('tag'),
			value: 'tag',
		},
		{
			label: hasCover ? vscode.l10n.t('Send Without a Cover Letter') : vscode.l10n.t('Send With a Cover Letter'),
			iconPath: new vscode.ThemeIcon('mail'),
			value: 'cover',
		},
		{
			label: vscode.l10n.t('Cc…'),
			description: cc.length === 0 ? nothing : shortLine(peopleText(cc), 200),
			iconPath: new vscode.ThemeIcon('person'),
			value: 'copies',
		},
		...(commands.length === 0
			? []
			: [
					{
						label: vscode.l10n.t('Recipient Commands…'),
						description: commands.map(commandText).join(' · '),
						detail: shortLine(peopleText(commands.flatMap(({ people }) => people ?? [])), 300),
						iconPath: new vscode.ThemeIcon('terminal'),
						value: 'commands',
					} as const,
				]),
		...(offered.length === 0
			? []
			: [
					{
						label: vscode.l10n.t('Trailers…'),
						description:
							trailers.length === 0
								? nothing
								: shortLine(trailers.map(({ key, value }) => `${key}: ${value}`).join(' · '), 200),
						...leftOutText(offered.length - trailers.length),
						iconPath: new vscode.ThemeIcon('checklist'),
						value: 'trailers',
					} as const,
				]),
		...differingVersions(before, offered).map(({ id, version }) => ({
			label: vscode.l10n.t('Compare With v{0}', version),
			iconPath: new vscode.ThemeIcon('compare-changes'),
			value: { earlier: id, version },
		})),
	];
}

function leftOutText(count: number): { readonly detail?: string } {
	return count === 0
		? {}
		: {
				detail:
					count === 1
						? vscode.l10n.t('1 trailer is not added. See for which changes it was given.')
						: vscode.l10n.t('{0} trailers are not added. See for which changes they were given.', count),
			};
}

/** The version before, and earlier ones whose trailers are offered; the newest first. */
function differingVersions(
	before: PatchsetReview | undefined,
	offered: readonly CarriedTrailer[],
): readonly Patchset[] {
	const ids = new Set([before?.ref.id, ...offered.map(({ patchsetId }) => patchsetId)]);
	return (before?.versions ?? [])
		.map(({ patchset }) => patchset)
		.filter(({ id }) => ids.has(id))
		.toReversed();
}

/** Shows an earlier version beside commits that are not sent yet, as a document of this window. */
async function showDifference(
	{ appliedDocuments, clock }: SubmitContext,
	connection: Connection,
	{ ref, title }: { readonly ref: PatchsetRef; readonly title: string },
	patches: readonly SeriesMailOfCommit[],
	signal: AbortSignal,
): Promise<void> {
	const text = await withProgress(vscode.l10n.t('Comparing versions…'), signal, async (working) =>
		rangeDiffBetween(await seriesAlone(connection, ref, working), localReading(patches), clock, working),
	);
	const none = `${vscode.l10n.t('These versions have too many patches or lines to compare.')}\n`;
	await appliedDocuments.open(`${title}.range-diff`, new TextEncoder().encode(text ?? none));
}
