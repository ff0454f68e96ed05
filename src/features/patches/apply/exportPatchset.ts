import type { CommandTable } from '../../../editor/commands/feature.ts';
import { withGitErrors, type ListsContext } from '../../lists/context/listsContext.ts';
import { patchsetTarget } from '../../lists/subjects/listTargets.ts';
import * as vscode from 'vscode';
import { cancelled } from '../../../editor/ask/ask.ts';
import { namesText, notify } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { copyText } from '../../../editor/ask/copyText.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { isNumbered } from 'patchmail/series/listedPatchset.ts';
import { amCommand, areBare } from 'patchmail/series/amCommand.ts';
import type { SeriesPatch } from 'patchmail/series/seriesReading.ts';
import type { Connection } from '../../../store/connection.ts';
import type { PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import { headCommit } from 'hardened-git/applyState.ts';
import { safeFileName } from '../../../engine/text/fileName.ts';
import { slug } from '../../../engine/text/slug.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import {
	askDoubts,
	lackingDoubts,
	missingDoubts,
	missingPatches,
	seriesDoubts,
	trailerDoubts,
	unreadDoubts,
} from './doubts.ts';
import { askVersion, askTrailers, withAllReplies } from './seriesQuestions.ts';
import { showBlob } from './differences.ts';
import { judgedAlone, judgedDoubts, judgedInClone, unlessWithoutGit } from './judgedByGit.ts';
import { addedPaths, pathsOf, unseenFiles } from './patchedFiles.ts';
import { cloneOfPatches } from './openClone.ts';
import { provenInOpenClone } from './secondAddresses.ts';
import { seriesMailbox, type SeriesMailbox } from './seriesMailbox.ts';
import type { PatchsetSubject } from '../../lists/subjects/subjects.ts';
import { webOf } from '../../../editor/links/webOf.ts';
import { patchsetWebLink } from '../../lists/subjects/webLink.ts';

/** Commands that hand the patches of a patchset to git outside the editor. */
export function exportCommands(parts: ListsContext): CommandTable {
	return withGitErrors(parts, {
		'forge.patchsets.save': async (subject, signal) =>
			saveMbox(parts, await patchsetTarget(parts, subject, signal), signal),
		'forge.patchsets.copyCommand': async (subject, signal) =>
			copyAmCommand(parts, await patchsetTarget(parts, subject, signal), signal),
	});
}

/** Asks for a file and writes the patches there as a mailbox for `git am`. */
export async function saveMbox(parts: ListsContext, subject: PatchsetSubject, signal: AbortSignal): Promise<void> {
	const { connections, clock } = parts;
	const connection = connectionOf(connections, subject);
	const loading = vscode.l10n.t('Loading patches…');
	const asked = await askVersion(connection, subject.ref, signal);
	const { review, lacking } = await withAllReplies(connection, asked, signal);
	const { patchset } = review;
	const name = safeFileName(`v${patchset.version}-${slug(patchset.subject) || 'patchset'}.mbox`, 'patchset.mbox');
	const [folder] = vscode.workspace.workspaceFolders ?? [];
	const place = await vscode.window.showSaveDialog({
		title: vscode.l10n.t('Save v{0} of "{1}"', patchset.version, visibleLine(patchset.subject)),
		defaultUri: folder ? vscode.Uri.joinPath(folder.uri, name) : vscode.Uri.file(name),
		filters: { [vscode.l10n.t('Mailbox')]: ['mbox'] },
	});
	if (!place) {
		throw cancelled();
	}
	const missing = missingPatches(review);
	const { patches } = review.series;
	await askDoubts(
		[
			...missingDoubts(review),
			...unreadDoubts(review),
			...lackingDoubts(lacking),
			...seriesDoubts(review.series, patches, clock.nowMs()),
		],
		vscode.l10n.t('Save'),
	);
	const proven = await provenInOpenClone(parts, connection, review, signal);
	const trailers = await askTrailers(connection, proven, clock.nowMs());
	const made = await withProgress(loading, signal, (working) =>
		seriesMailbox(connection, patches, { trailers, isMerging: true }, working),
	);
	await askDoubts(trailerDoubts(made.withoutTrailers), vscode.l10n.t('Save'));
	const { mailbox, untried } = await askTried(
		parts,
		{ connection, review, made, action: vscode.l10n.t('Save') },
		signal,
	);
	await vscode.workspace.fs.writeFile(place, mailbox.bytes);
	void tellSaved(place, missing, untried, optionsOf(patches));
}

interface ToExport {
	readonly connection: Connection;
	readonly review: PatchsetReview;
	readonly made: SeriesMailbox;
	/** Label of the button that goes on. */
	readonly action: string;
}

/**
 * Asks if git does other things than shown: on the open clone of the patches, else on files made from the diffs.
 * `untried`: files whose lines outside of the diffs nobody could check. Throws `cancelled()` for a no.
 */
async function askTried(
	parts: ListsContext,
	{ connection, review, made, action }: ToExport,
	signal: AbortSignal,
): Promise<{ readonly mailbox: SeriesMailbox; readonly untried: readonly string[] }> {
	const { patches } = made;
	const judging = vscode.l10n.t('Trying the patches with git…');
	const clone = parts.trust.isTrusted()
		? await withProgress(judging, signal, (working) => cloneOfPatches(parts, connection, review, working))
		: undefined;
	const root = clone?.root.fsPath;
	const inClone =
		root === undefined
			? undefined
			: await withProgress(judging, signal, async (working) =>
					judgedInClone(parts, { root, commit: await headCommit(parts.git, root, working) }, made, working),
				);
	if (root !== undefined) {
		await askDoubts(judgedDoubts(inClone, 'commit'), action, (file) => showBlob(parts, root, file, signal));
		if (!inClone?.stop) {
			return { mailbox: inClone?.mailbox ?? made, untried: [] };
		}
	}
	const alone = await withProgress(judging, signal, (working) =>
		judgedAlone(parts, made, working).catch(unlessWithoutGit),
	);
	const isTried = alone !== 'noBase' && alone !== 'noGit';
	const nothingFound = { stop: undefined, isMerged: false, others: [], untried: [], otherMessages: [] };
	// Nobody saw the content of these files, so the question needs no git.
	const unseen = inClone ? [] : unseenFiles(patches);
	await askDoubts(judgedDoubts(isTried ? alone : { ...nothingFound, unseen }, 'alone'), action);
	// Added files are whole in the patches.
	const changed = patches.filter(({ index }) => index >= (inClone?.stop?.index ?? 0));
	const added = isTried ? addedPaths(patches) : [];
	const untried = pathsOf(changed).filter((path) => !added.includes(path));
	return { mailbox: isTried && alone ? alone.mailbox : made, untried };
}

/** The command doesn't await this: an open notice must not block it. */
async function tellSaved(
	place: vscode.Uri,
	missing: string | undefined,
	untried: readonly string[],
	options: string,
): Promise<void> {
	const name = visibleLine(vscode.workspace.asRelativePath(place));
	const { scheme, fsPath } = place;
	const isPosix = fsPath.startsWith('/');
	const quoted = isPosix ? fsPath.replaceAll("'", String.raw`'\''`) : fsPath.replaceAll('\\', '/');
	// Windows: PowerShell also treats curly quotes as quotes, and doubles them. Git accepts slashes.
	const isSafe = scheme === 'file' && (isPosix || !/['\u2018-\u201B]/.test(fsPath));
	const command = isSafe ? `git am ${options} '${quoted}'` : undefined;
	const copy = vscode.l10n.t('Copy git am Command');
	const actions = command === undefined ? [] : [copy];
	const saved =
		missing === undefined ? vscode.l10n.t('Saved {0}', name) : vscode.l10n.t('Saved {0}. {1}', name, missing);
	const text = untried.length === 0 ? saved : [saved, untriedText(untried)].join(missing === undefined ? '. ' : ' ');
	const chosen = await notify(missing === undefined ? 'information' : 'warning', text, ...actions);
	if (command !== undefined && chosen === copy) {
		await copyText(command);
	}
}

function untriedText(paths: readonly string[]): string {
	const names = namesText(paths.map(visibleLine)).replaceAll('\n', ', ');
	return vscode.l10n.t('Open the clone to try these files with git before you apply them: {0}.', names);
}

/** Options of `git am`. */
function optionsOf(patches: readonly SeriesPatch[]): string {
	return areBare(patches) ? '-3 -p0' : '-3';
}

/** Copies a shell command that downloads and applies a patchset. */
export async function copyAmCommand(parts: ListsContext, subject: PatchsetSubject, signal: AbortSignal): Promise<void> {
	const connection = connectionOf(parts.connections, subject);
	const list = await connection.lists.list(subject.ref.list, signal);
	// On a members-only list, a command without an account downloads nothing.
	const words = list.permissions?.nonsubscriber;
	if (words !== undefined && !words.includes('browse') && !words.includes('normal')) {
		const text = vscode.l10n.t(
			'This list is not public, so a command cannot download from its URL. Save the patchset and apply the file.',
		);
		return void offerSaving(text, subject);
	}
	const loading = vscode.l10n.t('Loading patches…');
	const review = await askVersion(connection, subject.ref, signal);
	if (!isNumbered(review.ref.id)) {
		const text = vscode.l10n.t(
			'The forge has no patchset of this version, so a command cannot download it. Save it and apply the file.',
		);
		return void offerSaving(text, { ...subject, ref: review.ref });
	}
	const { patches } = review.series;
	await askDoubts(
		[...missingDoubts(review), ...seriesDoubts(review.series, patches, parts.clock.nowMs())],
		vscode.l10n.t('Copy'),
	);
	const made = await withProgress(loading, signal, (working) =>
		seriesMailbox(connection, patches, { trailers: [], isMerging: true }, working),
	);
	const { mailbox, untried } = await askTried(
		parts,
		{ connection, review, made, action: vscode.l10n.t('Copy') },
		signal,
	);
	const strips = new Set(mailbox.stripped.values());
	if (strips.size > 1) {
		const text = vscode.l10n.t(
			'Some messages of this patchset have line ends of their server, and others line ends of their files. One command cannot tell them apart. Save the patchset and apply the file.',
		);
		return void offerSaving(text, { ...subject, ref: review.ref });
	}
	const options = `${optionsOf(patches)}${strips.has(true) ? ' --quoted-cr=strip' : ''}`;
	const command = amCommand(webOf(connection.instance).mailbox(patchsetWebLink(connection, review.ref)), options);
	if (command === undefined) {
		void notify('error', vscode.l10n.t('The URL of this forge is not safe to use in a shell command.'));
		return;
	}
	await copyText(command);
	if (untried.length > 0) {
		void notify('information', untriedText(untried));
	}
}

/** The command doesn't await this: an open notice must not block it. */
async function offerSaving(text: string, subject: PatchsetSubject): Promise<void> {
	const save = vscode.l10n.t('Save as .mbox…');
	if ((await notify('information', text, save)) === save) {
		await vscode.commands.executeCommand('forge.patchsets.save', subject);
	}
}
