import * as vscode from 'vscode';
import { Disposables } from '../../../base/lifecycle.ts';
import { turns } from '../../../base/timeSlice.ts';
import { asText, type Choice } from '../../../editor/ask/ask.ts';
import { askFilterText } from '../../../editor/ask/filterBox.ts';
import { nextAccepted } from '../../../editor/ask/nextAccepted.ts';
import { notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { agoText } from '../../../editor/ask/readBefore.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { isForgeError } from '../../../forge/port/forgeError.ts';
import { listKey } from '../../../forge/port/list.ts';
import { matchMail } from '../../../engine/search/mails/matchMail.ts';
import { findMail } from '../../../store/lists/findMail.ts';
import type { ArchiveFacts } from '../../../store/lists/keptArchive.ts';
import type { ArchivedMail, ListArchives } from '../../../store/lists/listArchives.ts';
import { shortAge } from '../../../engine/text/age.ts';
import { sizeText } from '../../../engine/text/size.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { leftText } from '../find/filteredText.ts';
import { listFilterRows } from '../find/listFilterRows.ts';
import type { ListFinder } from '../find/listFinder.ts';
import { listProblemText } from '../find/listProblemText.ts';
import { listVocabulary } from '../find/listVocabulary.ts';
import { seenListOf, type SeenList } from '../find/seenList.ts';
import type { OpenMail } from '../mail/mailDocuments.ts';
import { archivedUri } from '../mail/mailUri.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import { titleOf } from '../subjects/words.ts';
import { archiveOnDisk, downloadArchive } from './archiveOnDisk.ts';
import { archiveComplaint, searchedArchived, subjectOf, untoldTerms } from './archivedSearch.ts';

/** Longer lists are hard to scan; another word narrows them. */
const mostRows = 1000;

export interface ArchiveSearchParts extends Pick<ListsParts, 'connections' | 'pages' | 'problems' | 'clock'> {
	readonly finder: ListFinder;
	/** Opens the thread of a mail at that mail. */
	readonly openThread: OpenMail;
}

/** An archive under search. */
interface Searched {
	readonly seen: SeenList;
	readonly archives: ListArchives;
	readonly facts: ArchiveFacts;
	/** Oldest first. */
	readonly mails: readonly ArchivedMail[];
}

/** Searching all mails of a list on this computer, and taking them from there. */
export function archiveCommands(parts: ArchiveSearchParts): CommandTable {
	/** Last query by list. */
	const texts = new Map<string, string>();

	return {
		'forge.lists.searchArchive': async (subject, signal) => {
			const seen = await seenListOf(parts, subject, signal);
			const { archives } = seen.connection;
			if (!archives) {
				void notify(
					'information',
					vscode.l10n.t(
						'This forge has no archives to download. Filter the list instead, which searches loaded messages.',
					),
				);
				return;
			}
			const searched = await opened(parts, { seen, archives }, signal);
			if (!searched) {
				return;
			}
			const key = `${seen.connection.key} ${listKey(seen.list)}`;
			for (;;) {
				const text = (await askText(parts, searched, texts.get(key) ?? '', signal)) ?? '';
				texts.set(key, text);
				const chosen = await chooseArchived(await found(parts, searched, text, signal), signal);
				if (chosen !== 'back') {
					await open(parts, searched, chosen, signal);
					return;
				}
			}
		},
		'forge.lists.removeArchive': async (subject, signal) => {
			const { connection, list } = await seenListOf(parts, subject, signal);
			const name = visibleLine(list.name);
			const facts = await connection.archives?.facts(list);
			if (!facts) {
				void notify('information', vscode.l10n.t('No archive of {0} is on this computer.', name));
				return;
			}
			connection.archives?.remove(list);
			tellBriefly(vscode.l10n.t('Removed the archive of {0} ({1})', name, sizeText(facts.bytes, vscode.env.language)));
		},
	};
}

async function opened(
	parts: ArchiveSearchParts,
	{ seen, archives }: Pick<Searched, 'seen' | 'archives'>,
	signal: AbortSignal,
): Promise<Searched | undefined> {
	const { list } = seen;
	const title = vscode.l10n.t('Opening the archive of {0}…', visibleLine(list.name));
	const read = (): Promise<readonly ArchivedMail[] | undefined> =>
		withProgress(title, signal, (working) => archives.mails(list, working));
	let facts = await archiveOnDisk(parts, { archives, list }, signal);
	let mails = facts && (await read());
	if (facts && !mails) {
		// A storage limit evicted part of the archive.
		facts = await downloadArchive(parts, { archives, list }, signal);
		mails = facts && (await read());
	}
	if (!facts || !mails) {
		return undefined;
	}
	await parts.finder.prepare(seen.connection, signal);
	return { seen, archives, facts, mails };
}

function askText(
	{ finder, problems, clock }: ArchiveSearchParts,
	searched: Searched,
	text: string,
	signal: AbortSignal,
): Promise<string | undefined> {
	const { seen, facts } = searched;
	const vocabulary = listVocabulary(seen);
	const complaint = (typed: string): string | undefined => {
		const reading = finder.read(seen, typed);
		return reading.kind === 'problem' ? listProblemText(reading.problem) : archiveComplaint(reading.filter);
	};
	return askFilterText(
		{
			title: vscode.l10n.t('Search all messages of {0}', visibleLine(seen.list.name)),
			placeholder: 'memory leak from:address is:patch !is:reply',
			text,
			hint: `${factsText(facts, clock.nowMs())} ${vscode.l10n.t('Words search subjects and texts. Prefix a term with ! to exclude it.')}`,
			complaint,
			rows(typed, matching) {
				const isTold = complaint(typed) === undefined;
				return listFilterRows({
					text: typed,
					reading: finder.read(seen, typed),
					matching: isTold ? matching : vscode.l10n.t('not in an archive'),
					vocabulary,
					isApplied: false,
					isExample: (example) => complaint(example) === undefined,
				}).filter(({ choice, label }) => choice.kind !== 'write' || !untoldTerms.has(label));
			},
			async count(typed, counting) {
				const { length } = await matching({ finder, clock }, searched, typed, counting);
				return vscode.l10n.t('messages: {0}', leftText(length, facts.mails));
			},
			onDidChange: () => ({ dispose: () => undefined }),
		},
		problems,
		signal,
	);
}

/** Extent and age of the searched archive. */
function factsText({ mails, sinceMs, readAtMs }: ArchiveFacts, nowMs: number): string {
	const count = new Intl.NumberFormat(vscode.env.language).format(mails);
	const updated = agoText(readAtMs, nowMs, 'long');
	if (sinceMs === undefined) {
		return vscode.l10n.t('Messages: {0}, updated {1}.', count, updated);
	}
	const since = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium' }).format(sinceMs);
	return vscode.l10n.t('Messages since {0}: {1}, updated {2}.', since, count, updated);
}

async function found(
	parts: Pick<ArchiveSearchParts, 'finder' | 'clock'>,
	searched: Searched,
	text: string,
	signal: AbortSignal,
): Promise<FoundMails> {
	const name = visibleLine(searched.seen.list.name);
	const title =
		text === '' ? vscode.l10n.t('All messages of {0}', name) : vscode.l10n.t('{0} in {1}', visibleLine(text), name);
	const mails = await matching(parts, searched, text, signal);
	return { mails: mails.toReversed(), title, nowMs: parts.clock.nowMs() };
}

/** Others have their turns between. */
async function matching(
	{ finder, clock }: Pick<ArchiveSearchParts, 'finder' | 'clock'>,
	{ seen, mails }: Searched,
	text: string,
	signal: AbortSignal,
): Promise<readonly ArchivedMail[]> {
	const reading = finder.read(seen, text);
	if (reading.kind === 'problem') {
		return [];
	}
	const matches = matchMail(reading.filter, finder.viewer(seen.connection));
	const turn = turns(clock);
	const left: ArchivedMail[] = [];
	for (const mail of mails) {
		if (matches(searchedArchived(mail, seen.connection.texts)) === 'yes') {
			left.push(mail);
		}
		await turn(signal);
	}
	return left;
}

/** In its thread, or alone if the forge fails or no longer has the mail. */
async function open(
	{ problems, openThread }: ArchiveSearchParts,
	{ seen: { connection, list } }: Searched,
	mail: ArchivedMail,
	signal: AbortSignal,
): Promise<void> {
	const messageId = mail.reading.kind === 'read' ? mail.reading.mail.messageId : undefined;
	if (messageId !== undefined) {
		try {
			const there = await withProgress(vscode.l10n.t('Opening the message…'), signal, (working) =>
				findMail(connection, { messageId, list }, working),
			);
			if (there) {
				const { id } = there.mail;
				const at = there.list ?? list;
				await openThread({ kind: 'mail', connectionKey: connection.key, list: at, id, messageId }, signal);
				return;
			}
		} catch (error) {
			if (!isForgeError(error)) {
				throw error;
			}
			problems.log(error);
		}
	}
	const { isPatch = false } = searchedArchived(mail, connection.texts);
	const place = { connectionKey: connection.key, list, place: mail.place };
	const document = await vscode.workspace.openTextDocument(archivedUri(place, { subject: subjectOf(mail), isPatch }));
	await vscode.window.showTextDocument(document, { preview: true });
}

/** Hits of an archive search. */
interface FoundMails {
	/** Newest first. */
	readonly mails: readonly ArchivedMail[];
	readonly title: string;
	readonly nowMs: number;
}

/** Asks for a mail; `back` starts another search. Throws an abort if the user closes the box. */
async function chooseArchived(
	{ mails, title, nowMs }: FoundMails,
	signal: AbortSignal,
): Promise<ArchivedMail | 'back'> {
	using owned = new Disposables();
	const box = owned.add(vscode.window.createQuickPick<Choice<ArchivedMail | 'back'>>());
	const back = Promise.withResolvers<'back'>();
	box.title = title;
	box.placeholder =
		mails.length > mostRows
			? vscode.l10n.t(
					'Messages that match: {0}. The newest {1} are shown; go back to add a word.',
					mails.length,
					mostRows,
				)
			: vscode.l10n.t('Messages that match: {0}', mails.length);
	box.matchOnDescription = true;
	box.ignoreFocusOut = true;
	box.buttons = [vscode.QuickInputButtons.Back];
	box.items = mails.length === 0 ? [nothingFound()] : mails.slice(0, mostRows).map((mail) => rowOf(mail, nowMs));
	owned.add(box.onDidTriggerButton(() => back.resolve('back')));
	box.show();
	for (;;) {
		const chosen = await Promise.race([back.promise, nextAccepted(box, signal)]);
		if (chosen !== undefined) {
			return chosen === 'back' ? chosen : chosen.value;
		}
	}
}

function nothingFound(): Choice<'back'> {
	return {
		label: vscode.l10n.t('No message matches'),
		description: vscode.l10n.t('go back to change the search'),
		iconPath: new vscode.ThemeIcon('arrow-left'),
		alwaysShow: true,
		value: 'back',
	};
}

function rowOf(mail: ArchivedMail, nowMs: number): Choice<ArchivedMail> {
	const { reading } = mail;
	const [from] = reading.kind === 'read' ? reading.mail.from : [];
	const dateMs = reading.kind === 'read' ? reading.mail.dateMs : undefined;
	const about = [
		...(from ? [visibleLine(from.name === '' ? from.address : from.name)] : []),
		...(dateMs === undefined ? [] : [shortAge(dateMs, nowMs, vscode.env.language)]),
	];
	return asText({
		label: titleOf(subjectOf(mail)),
		description: about.join(' · '),
		value: mail,
	});
}
