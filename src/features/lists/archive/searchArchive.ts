import * as vscode from 'vscode';
import { showDocument } from '../../../editor/documents/showDocument.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { turns } from '@forge-desk/base/timeSlice.ts';
import { asText, type Choice } from '../../../editor/ask/ask.ts';
import { askFilterText } from '../../../editor/ask/filterBox.ts';
import { nextAccepted } from '../../../editor/ask/liveQuickPick.ts';
import { notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { agoText } from '../../../editor/ask/readBefore.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { listKey } from 'sourcehut/port/list.ts';
import { matchMail } from '../../../engine/search/mails/matchMail.ts';
import { findMail } from '../../../store/lists/findMail.ts';
import type { ArchiveFacts } from '../../../store/lists/keptArchive.ts';
import type { ArchivedMail, ListArchives } from '../../../store/lists/listArchives.ts';
import { dayText, shortAge } from '../../../engine/text/age.ts';
import { sizeText } from '../../../engine/text/size.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { patchSubject } from 'patchmail/series/patchSubject.ts';
import { isMarkKind, type ListCondition } from '../../../engine/search/mails/listFilter.ts';
import type { SearchedMail } from '../../../engine/search/mails/searchedMail.ts';
import { asksForPull } from 'patchmail/series/pullRequest.ts';
import type { MailTexts } from '../../../store/lists/listMailTexts.ts';
import { leftText, listFilterRows, listProblemText, listVocabulary } from '../find/listFilterRows.ts';
import { accountListOf, type AccountList } from '../find/accountList.ts';
import type { OpenMail } from '../mail/mailDocuments.ts';
import { archivedUri } from '../mail/mailUri.ts';
import type { ListsContext } from '../context/listsContext.ts';
import { titleOf } from '../subjects/words.ts';
import { searchOnServer } from './searchOnServer.ts';
import { archiveOnDisk, downloadArchive } from './archiveOnDisk.ts';

/** Longer lists are hard to scan; another word narrows them. */
const mostRows = 1000;

/** An archive under search. */
interface Searched {
	readonly seen: AccountList;
	readonly archives: ListArchives;
	readonly facts: ArchiveFacts;
	/** Oldest first. */
	readonly mails: readonly ArchivedMail[];
}

/**
 * Searching all mails of a list on this computer, and taking them from there. `openThread`: opens the thread of a mail at that mail.
 */
export function archiveCommands(context: ListsContext, openThread: OpenMail): CommandTable {
	/** Last query by list. */
	const texts = new Map<string, string>();

	return {
		'forge.lists.searchArchive': async (subject, signal) => {
			const seen = await accountListOf(context, subject, signal);
			const { archives, instance } = seen.connection;
			const key = `${seen.connection.key} ${listKey(seen.list)}`;
			if (instance.archiveUrl !== undefined) {
				const { text, mail } = await searchOnServer(context, seen, texts.get(key) ?? '', signal);
				texts.set(key, text);
				const { id, messageId } = mail;
				await openThread({ kind: 'mail', connectionKey: seen.connection.key, list: seen.list, id, messageId }, signal);
				return;
			}
			if (!archives) {
				void notify(
					'information',
					vscode.l10n.t(
						'This forge has no archives to download. Filter the list instead, which searches loaded messages.',
					),
				);
				return;
			}
			const searched = await opened(context, seen, archives, signal);
			if (!searched) {
				return;
			}
			for (;;) {
				const text = (await askText(context, searched, texts.get(key) ?? '', signal)) ?? '';
				texts.set(key, text);
				const chosen = await chooseArchived(context, searched, text, signal);
				if (chosen !== 'back') {
					return open(context, openThread, searched, chosen, signal);
				}
			}
		},
		'forge.lists.removeArchive': async (subject, signal) => {
			const { connection, list } = await accountListOf(context, subject, signal);
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

async function opened(context: ListsContext, seen: AccountList, archives: ListArchives, signal: AbortSignal) {
	const { list } = seen;
	const title = vscode.l10n.t('Opening the archive of {0}…', visibleLine(list.name));
	const read = (): Promise<readonly ArchivedMail[] | undefined> =>
		withProgress(title, signal, (working) => archives.mails(list, working));
	let facts = await archiveOnDisk(context, archives, list, signal);
	let mails = facts && (await read());
	if (facts && !mails) {
		// A storage limit evicted part of the archive.
		facts = await downloadArchive(context, archives, list, signal);
		mails = facts && (await read());
	}
	if (!facts || !mails) {
		return undefined;
	}
	await context.finder.prepare(seen.connection, signal);
	return { seen, archives, facts, mails };
}

function askText(
	context: ListsContext,
	searched: Searched,
	text: string,
	signal: AbortSignal,
): Promise<string | undefined> {
	const { finder, problems, clock } = context;
	const { seen, facts } = searched;
	// Extent and age of the searched archive.
	const count = new Intl.NumberFormat(vscode.env.language).format(facts.mails);
	const updated = agoText(facts.readAtMs, clock.nowMs(), 'long');
	const since = facts.sinceMs === undefined ? '' : dayText(facts.sinceMs, vscode.env.language);
	const factsText =
		facts.sinceMs === undefined
			? vscode.l10n.t('Messages: {0}, updated {1}.', count, updated)
			: vscode.l10n.t('Messages since {0}: {1}, updated {2}.', since, count, updated);
	const vocabulary = listVocabulary(seen);
	const complaint = (typed: string): string | undefined => {
		const reading = finder.read(seen, typed);
		return reading.kind === 'problem'
			? listProblemText(reading.problem)
			: reading.filter.terms.map(({ condition }) => complaintOf(condition)).find((each) => each !== undefined);
	};
	return askFilterText(
		{
			title: vscode.l10n.t('Search all messages of {0}', visibleLine(seen.list.name)),
			placeholder: 'memory leak from:address is:patch !is:reply',
			text,
			hint: `${factsText} ${vscode.l10n.t('Words search subjects and texts. Prefix a term with ! to exclude it.')}`,
			complaint,
			rows(typed, matching) {
				const isTold = complaint(typed) === undefined;
				const shown = isTold ? matching : vscode.l10n.t('not in an archive');
				return listFilterRows(typed, finder.read(seen, typed), shown, vocabulary, undefined).filter(
					({ choice, label }) =>
						choice.kind === 'write'
							? !unsupportedTerms.has(label)
							: choice.kind !== 'saved' || complaint(choice.text) === undefined,
				);
			},
			async count(typed, counting) {
				const { length } = await matching(context, searched, typed, counting);
				return vscode.l10n.t('messages: {0}', leftText(length, facts.mails));
			},
			onDidChange: () => ({ dispose: () => undefined }),
		},
		problems,
		signal,
	);
}

/** Others have their turns between. */
async function matching({ finder, clock }: ListsContext, { seen, mails }: Searched, text: string, signal: AbortSignal) {
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
	{ problems }: ListsContext,
	openThread: OpenMail,
	{ seen: { connection, list } }: Searched,
	mail: ArchivedMail,
	signal: AbortSignal,
): Promise<void> {
	const messageId = mail.reading.kind === 'read' ? mail.reading.mail.messageId : undefined;
	if (messageId !== undefined) {
		try {
			const there = await withProgress(vscode.l10n.t('Opening the message…'), signal, (working) =>
				findMail(connection.lists, { messageId, list }, working),
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
	await showDocument(document, { preview: true });
}

/** Asks for a mail; `back` starts another search. Throws an abort if the user closes the box. */
async function chooseArchived(context: ListsContext, searched: Searched, text: string, signal: AbortSignal) {
	const name = visibleLine(searched.seen.list.name);
	const newestFirst = (await matching(context, searched, text, signal)).toReversed();
	const nowMs = context.clock.nowMs();
	using owned = new Disposables();
	const box = owned.add(vscode.window.createQuickPick<Choice<ArchivedMail | 'back'>>());
	const back = Promise.withResolvers<'back'>();
	box.title =
		text === '' ? vscode.l10n.t('All messages of {0}', name) : vscode.l10n.t('{0} in {1}', visibleLine(text), name);
	box.placeholder =
		newestFirst.length > mostRows
			? vscode.l10n.t(
					'Messages that match: {0}. The newest {1} are shown; go back to add a word.',
					newestFirst.length,
					mostRows,
				)
			: vscode.l10n.t('Messages that match: {0}', newestFirst.length);
	box.matchOnDescription = true;
	box.ignoreFocusOut = true;
	box.buttons = [vscode.QuickInputButtons.Back];
	const rows = newestFirst.slice(0, mostRows).map((mail): Choice<ArchivedMail> => {
		const { from: [from] = [], dateMs } = mail.reading.kind === 'read' ? mail.reading.mail : {};
		const about = [
			...(from ? [visibleLine(from.name === '' ? from.address : from.name)] : []),
			...(dateMs === undefined ? [] : [shortAge(dateMs, nowMs, vscode.env.language)]),
		];
		return asText({ label: titleOf(subjectOf(mail)), description: about.join(' · '), value: mail });
	});
	const nothing: Choice<'back'> = {
		label: vscode.l10n.t('No message matches'),
		description: vscode.l10n.t('go back to change the search'),
		iconPath: new vscode.ThemeIcon('arrow-left'),
		alwaysShow: true,
		value: 'back',
	};
	box.items = rows.length === 0 ? [nothing] : rows;
	owned.add(box.onDidTriggerButton(() => back.resolve('back')));
	box.show();
	for (;;) {
		const chosen = await Promise.race([back.promise, nextAccepted(box, signal)]);
		if (chosen !== undefined) {
			return chosen === 'back' ? chosen : chosen.value;
		}
	}
}

/** Subject of a mail, from the raw header line if the mail is unreadable. */
function subjectOf({ reading }: Pick<ArchivedMail, 'reading'>): string {
	return reading.kind === 'read'
		? reading.mail.subject
		: (/^subject:[ \t]*(.*)$/im.exec(reading.text.slice(0, headLength))?.[1] ?? '');
}

/** Headers are seldom longer. */
const headLength = 64_000;

/** A mail of an archive as the search looks at it. */
function searchedArchived({ reading }: Pick<ArchivedMail, 'reading'>, texts: MailTexts): SearchedMail {
	const subject = subjectOf({ reading });
	const mail = reading.kind === 'read' ? reading.mail : undefined;
	const prefix = patchSubject(subject)?.prefix;
	return {
		subject,
		account: undefined,
		isReply: mail?.inReplyTo !== undefined || (mail?.references.length ?? 0) > 0,
		// Lazy: few filters need it, and it scans the text.
		get isPatch() {
			return texts.patchOf({ reading, subject }) !== undefined;
		},
		get isRequestPull() {
			return asksForPull({ subject, isTold: undefined, reading });
		},
		patchset: prefix === undefined ? undefined : { status: 'unknown', prefix },
		mark: undefined,
		read: mail ?? {
			from: [],
			to: [],
			cc: [],
			headers: [],
			dateMs: undefined,
			text: reading.kind === 'raw' ? reading.text : '',
		},
	};
}

/** Valid terms that completion skips: an archive lacks their data. */
const unsupportedTerms: ReadonlySet<string> = new Set(['status:', 'changed', 'new', 'unread']);

/** An unsupported term of a filter, as sentences with the next step. */
function complaintOf(condition: ListCondition): string | undefined {
	switch (condition.kind) {
		case 'status':
			return vscode.l10n.t('An archive does not say the status of patchsets. Filter the list by it instead.');
		case 'is':
			return isMarkKind(condition.what)
				? vscode.l10n.t('An archive does not say what you have viewed. Filter the list by it instead.')
				: undefined;
		case 'from':
			return condition.person.kind === 'named' && condition.person.name.startsWith('~')
				? vscode.l10n.t('Messages in an archive name no accounts. Type an email address or a part of a name instead.')
				: undefined;
		case 'to':
		case 'cc':
		case 'prefix':
		case 'sent':
		case 'header':
		case 'text':
			return undefined;
	}
}
