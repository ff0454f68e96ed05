import * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import {
	settablePatchsetStatuses,
	type ListPermission,
	type Patchset,
	type PatchsetRef,
	type PatchsetStatus,
	type PatchsetTool,
} from 'sourcehut/port/list.ts';
import { unsentText } from '../../../editor/ask/extraFields.ts';
import { agoText, readBeforeText } from '../../../editor/ask/readBefore.ts';
import { formedText } from '../../lists/subjects/problemTexts.ts';
import { isNumbered } from 'patchmail/series/listedPatchset.ts';
import { spelled } from 'sourcehut/port/word.ts';
import type { MailPersonView } from '../../../pages/protocol/pageProtocol.ts';
import type { PatchsetHeadView, StatusChoice, StatusIcon, ToolIcon } from '../../../pages/protocol/patchsetProtocol.ts';
import { senderIn } from 'patchmail/mail/onlySender.ts';
import type { PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import { isBeingRead, type ReadBefore } from '../../../store/shared/listing.ts';
import { nameOfSender, visibleLine } from '../../../engine/text/visible.ts';
import { checkSentence } from '../../lists/checks/checkTexts.ts';
import type { PatchsetCheck } from '../../lists/checks/patchsetChecks.ts';
import {
	bareId,
	hasStatus,
	noStatusText,
	statusLook,
	statusOf,
	titleText,
	toolText,
} from '../../lists/subjects/words.ts';

/** Limit against floods of tool results. */
const mostTools = 50;

/** Content of the head. */
export interface HeadFacts {
	readonly ref: PatchsetRef;
	readonly patchset: Patchset;
	/** Of the mail that people quote. */
	readonly messageId: string | undefined;
	/** `undefined` until read. */
	readonly standing: PatchsetReview | undefined;
	/** Statuses of other patchsets in the list. */
	readonly seen: readonly PatchsetStatus[];
	/** `~name` of the account. */
	readonly me: string;
	/** A fresh check, if any. */
	readonly check: PatchsetCheck | undefined;
	readonly canApply: boolean;
	/** The account's permissions in the list; `undefined` if the server doesn't report them. */
	readonly mine: readonly ListPermission[] | undefined;
	/** Safe HTML of a tool's message; `undefined` while rendering. */
	readonly html: (details: string) => string | undefined;
}

/** The page head: the forge's own data of a patchset. */
export function headView(parts: HeadFacts): PatchsetHeadView {
	const { ref, patchset, standing, seen, check, canApply, html } = parts;
	const words = new Set<PatchsetStatus>([...settablePatchsetStatuses, ...seen]);
	words.delete('unknown');
	words.delete(patchset.status);
	return {
		reference: visibleLine(patchsetReference(ref, parts.messageId)),
		list: visibleLine(refText(ref.list)),
		title: titleText(patchset),
		version: `v${patchset.version}`,
		prefix: visibleLine(patchset.prefix ?? ''),
		status: { ...statusChoice(patchset.status), text: statusOf(patchset).text },
		statuses: Array.from(words, statusChoice),
		whoMay: whoMay(parts),
		// Without reported permissions, only a refusal by the forge is certain.
		canSetStatus: hasStatus(patchset) && (parts.mine === undefined || isModerator(parts)),
		submitter: submitterOf(patchset, standing),
		place: formedText(patchset),
		applies: check ? checkSentence(check) : '',
		canApply,
		tools: (patchset.tools ?? []).slice(0, mostTools).map(({ state, details, updatedMs }) => ({
			icon: toolIcon(state),
			text: toolText(state),
			html: html(details),
			updatedAtMs: updatedMs,
		})),
		sentAtMs: patchset.createdMs,
		updatedAtMs: patchset.updatedMs,
	};
}

/** `~alice/devel/patches/12`, or without a number the mail that people quote: `~alice/devel/<id@host>`. */
export function patchsetReference({ list, id }: PatchsetRef, messageId: string | undefined): string {
	return isNumbered(id) ? `${refText(list)}/patches/${id}` : `${refText(list)}/${bareId(messageId ?? '')}`;
}

/** Title of the page's tab: short and on one line. */
export function tabTitle({ list, id }: PatchsetRef, patchset: Patchset | undefined): string {
	if (!patchset) {
		return isNumbered(id) ? `${visibleLine(list.name)} ${id}` : visibleLine(list.name);
	}
	const characters = Array.from(titleText(patchset));
	const title = characters.length > 40 ? `${characters.slice(0, 39).join('')}…` : characters.join('');
	return `v${patchset.version} ${title}`;
}

function statusChoice(status: PatchsetStatus): StatusChoice {
	return { word: spelled(status), text: statusLook(status).text, icon: statusIcon(status) };
}

function statusIcon(status: PatchsetStatus): StatusIcon {
	switch (status) {
		case 'proposed':
		case 'approved':
		case 'applied':
		case 'rejected':
		case 'superseded':
			return status;
		case 'needs_revision':
			return 'needsRevision';
		case 'none':
			return 'proposed';
		case 'unknown':
			return 'unknownStatus';
		default:
			// Statuses that this version does not know.
			return 'unknownStatus';
	}
}

/**
 * Servers that report permissions let moderators set a status. The others only let the owner, and promise moderators nothing
 * (docs/protocol.md#patchset-updates, docs/protocol.md#rights-in-lists).
 */
function whoMay(parts: HeadFacts): string {
	const { ref, mine } = parts;
	const carrier = parts.patchset.formed?.threadPatchsetId;
	if (!hasStatus(parts.patchset)) {
		return noStatusText(parts.patchset);
	}
	const others =
		mine === undefined
			? vscode.l10n.t('Only {0}, who owns the list, can set the status.', visibleLine(ref.list.owner))
			: vscode.l10n.t('Only moderators of the list can set the status.');
	const text = isModerator(parts) ? vscode.l10n.t('You can set the status.') : others;
	return carrier === undefined
		? text
		: vscode.l10n.t('This version has the status of its thread, which is that of patchset {0}. {1}', carrier, text);
}

function isModerator({ ref, me, mine }: HeadFacts): boolean {
	return ref.list.owner === me || mine?.includes('moderate') === true;
}

/** Sender of the cover letter or first patch. Falls back to the forge's submitter if that mail has no single sender. */
function submitterOf({ submitter }: Patchset, standing: PatchsetReview | undefined): MailPersonView | undefined {
	const reading = (standing?.series.cover ?? standing?.series.patches[0]?.mail)?.reading;
	const [first, ...others] = reading?.kind === 'read' ? reading.mail.from : [];
	const person =
		(others.length === 0 ? first : undefined) ?? (submitter === undefined ? undefined : senderIn(submitter));
	if (person) {
		return { name: visibleLine(person.name), address: visibleLine(person.address) };
	}
	return submitter === undefined ? undefined : { name: nameOfSender(submitter), address: '' };
}

function toolIcon(state: PatchsetTool['state']): ToolIcon {
	switch (state) {
		case 'pending':
		case 'waiting':
		case 'success':
		case 'failed':
		case 'cancelled':
			return state;
		default:
			// Words that this version does not know.
			return 'unknownState';
	}
}

/** A line above the head: the age of a patchset during its refresh, or the parts that the server left out. */
export function headNotice(
	before: ReadBefore | undefined,
	patchset: Patchset | undefined,
	clock: Clock,
): string | undefined {
	if (before && isBeingRead(before)) {
		return readBeforeText(undefined, agoText(before.readAtMs, clock.nowMs(), 'long'));
	}
	const unsent = unsentText([patchset, patchset?.coverLetter].filter((each) => each !== undefined));
	return unsent === '' ? undefined : unsent;
}
