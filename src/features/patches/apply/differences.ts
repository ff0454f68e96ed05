import * as vscode from 'vscode';
import { choose } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { visible, visibleLine } from '../../../engine/text/visible.ts';
import { headCommit, madeCommits } from 'hardened-git/applyState.ts';
import { filesAtCommit } from 'hardened-git/filesAtCommit.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import { contentsInClone } from 'hardened-git/readClone.ts';
import { blobsOf } from 'hardened-git/scratchApply.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import type { AppliedDocuments } from '../../lists/checks/appliedDocuments.ts';
import { shortId } from './askPlace.ts';
import type { AppliedPatchset, ApplyContext } from './savedApplied.ts';
import { comparedCommits, type OtherCommit } from './comparedCommits.ts';
import { otherContents, pathsOf, type UnseenFile } from './patchedFiles.ts';

/** Commits that differ from their patches; `unknown` if they could not be compared. */
export type Differences = readonly OtherCommit[] | 'unknown';

/**
 * Compares all commits since the start of a patchset with its patches. People also commit in terminals and in other
 * windows, so nothing here depends on this window's memory. Logs failures. Throws aborts.
 */
export async function differencesIn(
	parts: ApplyContext,
	{ folder, before, given, subject }: AppliedPatchset,
	to: string,
	signal: AbortSignal,
): Promise<Differences> {
	try {
		const { git, clock, connections } = parts;
		const reviews = connections.byKey(subject.connectionKey)?.reviews;
		const review = reviews?.known(subject.ref) ?? (await reviews?.read(subject.ref, signal));
		const all = new Map((review?.series.patches ?? []).map((patch) => [patch.mail.id, patch]));
		const patches = given?.map(({ mail }) => all.get(mail)).filter((patch) => patch !== undefined) ?? [];
		if (!given || patches.length < given.length) {
			return 'unknown';
		}
		const commits = await madeCommits(git, folder, { from: before, to }, signal);
		const contents = await contentsInClone(git, folder, blobsOf(commits), signal);
		const files = await filesAtCommit(git, folder, { commit: before, paths: pathsOf(patches) }, signal);
		const added = given.map(({ trailers }) => trailers);
		const shown = { patches, added, read: async (path: string) => files(path) };
		const others = await comparedCommits(clock, shown, { commits, contents }, signal);
		// Patches may state other blob ids: a mail program or a server may have changed their lines.
		const stated = commits.flatMap((commit) => {
			const known = others.find((other) => other.commit === commit.id)?.files.map(({ path }) => path) ?? [];
			const paths = otherContents(patches, [commit]).filter((path) => !known.includes(path));
			const index = patches.find((patch) => pathsOf([patch]).includes(paths[0] ?? ''))?.index ?? 0;
			const files = paths.map((path) => ({ path, kind: 'stated', shown: undefined, committed: undefined }) as const);
			return files.length === 0 ? [] : [{ index, commit: commit.id, texts: [], files }];
		});
		return [...others, ...stated];
	} catch (error) {
		signal.throwIfAborted();
		if (error instanceof GitFailure && error.problem.kind === 'notTrusted') {
			throw error;
		}
		parts.problems.log(error);
		return 'unknown';
	}
}

/** Names of the patches and files that differ, for a notice. */
export function differenceNames(commits: readonly OtherCommit[]): readonly string[] {
	return commits.flatMap(({ index, commit, texts, files }) => {
		const of = index === 0 ? visibleLine(commit.slice(0, 10)) : vscode.l10n.t('patch {0}', index);
		const kinds = [...texts.map(({ kind }) => textName(kind)), ...files.map(({ path }) => visibleLine(path))];
		return kinds.length === 0 ? [of] : kinds.map((kind) => `${of}: ${kind}`);
	});
}

function textName(kind: OtherCommit['texts'][number]['kind']): string {
	return { author: vscode.l10n.t('author'), date: vscode.l10n.t('date'), message: vscode.l10n.t('commit message') }[
		kind
	];
}

/** Lists differences. A choice opens both sides. Throws `cancelled()` when closed. */
async function chooseDifference(documents: AppliedDocuments, title: string, commits: readonly OtherCommit[]) {
	const encode = (text: string): Uint8Array => new TextEncoder().encode(visible(text));
	const none = new Uint8Array();
	const fileTexts = {
		unnamed: vscode.l10n.t('No diff of the patch shows this file.'),
		stated: vscode.l10n.t('The patch states another id for this file, so its lines may have changed on the way.'),
		untried: vscode.l10n.t('This file is too large to compare with the diff.'),
		unseen: vscode.l10n.t('The patch does not contain this binary file. Git took it from the clone.'),
		other: vscode.l10n.t('The committed file differs from the diff.'),
	};
	const rows = commits.flatMap(({ index, commit, texts, files }) => {
		const of = index === 0 ? vscode.l10n.t('no patch') : vscode.l10n.t('patch {0}', index);
		const description = `${of} · ${shortId(commit)}`;
		return [
			...texts.map(({ kind, shown, committed }) => ({
				label: textName(kind),
				description,
				detail: vscode.l10n.t('Shown: {0} Committed: {1}', visibleLine(shown), visibleLine(committed)),
				value: () => documents.compare(textName(kind), of, encode(shown), encode(committed)),
			})),
			...files.map(({ path, kind, shown, committed }) => ({
				label: visibleLine(path),
				description,
				detail:
					kind === 'other' && shown?.mode !== committed?.mode
						? vscode.l10n.t('Mode shown: {0}. Mode committed: {1}.', shown?.mode ?? '–', committed?.mode ?? '–')
						: fileTexts[kind],
				value: () => documents.compare(path, of, shown?.content ?? none, committed?.content ?? none),
			})),
		];
	});
	const open = await choose(title, rows);
	await open();
}

/** Shows a blob of a clone, or says that the clone lacks it. */
export async function showBlob(
	{ git, appliedDocuments }: ListsContext,
	root: string,
	{ path, id }: UnseenFile,
	signal: AbortSignal,
): Promise<void> {
	const content = (await contentsInClone(git, root, [id], signal)).get(id);
	if (content) {
		await appliedDocuments.open(path, content);
	} else {
		void notify('warning', vscode.l10n.t('The clone does not have the stated content of {0}.', visibleLine(path)));
	}
}

/** Lists how the commits of an applied patchset differ from its patches. */
export async function showDifferences(
	parts: ApplyContext,
	applied: AppliedPatchset,
	signal: AbortSignal,
): Promise<void> {
	const title = visibleLine(applied.title);
	const head = await headCommit(parts.git, applied.folder, signal);
	const comparing = vscode.l10n.t('Comparing commits with patches…');
	const others = await withProgress(comparing, signal, (working) => differencesIn(parts, applied, head, working));
	if (others === 'unknown') {
		void notify(
			'warning',
			vscode.l10n.t('The commits could not be compared with the patches. See the log for details.'),
		);
	} else if (others.length === 0) {
		void notify('information', vscode.l10n.t('All commits of "{0}" are as shown.', title));
	} else {
		await chooseDifference(
			parts.appliedDocuments,
			vscode.l10n.t('Commits of "{0}" that differ from their patches', title),
			others,
		);
	}
}
