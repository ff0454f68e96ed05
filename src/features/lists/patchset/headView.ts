import * as vscode from 'vscode';
import { refText } from '../../../forge/namedRef.ts';
import {
	firstMailOfFormed,
	settablePatchsetStatuses,
	type ListPermission,
	type Patchset,
	type PatchsetRef,
	type PatchsetStatus,
} from '../../../forge/list.ts';
import { spelled } from '../../../forge/word.ts';
import type { MailPersonView } from '../../../protocol/mailView.ts';
import type { PatchsetHeadView, StatusChoice, StatusIcon } from '../../../protocol/patchsetView.ts';
import { senderIn } from '../../../mail/onlySender.ts';
import type { MailPerson } from '../../../mail/readableMail.ts';
import type { PatchsetReview } from '../../../state/lists/review/patchsetReview.ts';
import { visibleLine } from '../../../text/visible.ts';
import { checkSentence } from '../checks/checkTexts.ts';
import type { PatchsetCheck } from '../checks/patchsetChecks.ts';
import { nameOfSender, statusLook } from '../subjects/words.ts';
import { toolViews } from './toolViews.ts';

/** What the head of the page is made of. */
export interface HeadParts {
	readonly ref: PatchsetRef;
	readonly patchset: Patchset;
	/** As far as it is known. */
	readonly standing: PatchsetReview | undefined;
	/** Words that other patchsets of the list have. */
	readonly seen: readonly PatchsetStatus[];
	/** `~name` of the account. */
	readonly me: string;
	/** Of it, while it is fresh. */
	readonly check: PatchsetCheck | undefined;
	readonly canApply: boolean;
	/** What the account may do in the list; `undefined` where nobody tells. */
	readonly mine: readonly ListPermission[] | undefined;
	/** Safe HTML of what a tool says; `undefined` while it is being made. */
	readonly html: (details: string) => string | undefined;
}

/** All that the forge itself says of a patchset. */
export function headView(parts: HeadParts): PatchsetHeadView {
	const { ref, patchset, standing, seen, check, canApply, html } = parts;
	return {
		reference: visibleLine(patchsetReference(ref, patchset)),
		list: visibleLine(refText(ref.list)),
		title: titleText(patchset),
		version: `v${patchset.version}`,
		prefix: visibleLine(patchset.prefix ?? ''),
		status: statusChoice(patchset.status),
		statuses: statusChoices(patchset.status, seen),
		whoMay: whoMay(parts),
		// Where nobody tells, only the forge's own refusal is certain.
		canSetStatus: parts.mine === undefined || isModerator(parts),
		submitter: submitterOf(patchset, standing),
		place: firstMailOfFormed(ref.id) === undefined ? '' : vscode.l10n.t('came as a reply'),
		applies: check ? checkSentence(check) : '',
		canApply,
		tools: toolViews(patchset, html),
		sentAtMs: patchset.createdMs,
		updatedAtMs: patchset.updatedMs,
	};
}

/** `~alice/devel/patches/12`, or for a formed patchset its first mail: `~alice/devel/<id@host>`. */
export function patchsetReference({ list, id }: PatchsetRef, patchset: Patchset | undefined): string {
	const isFormed = firstMailOfFormed(id) !== undefined;
	return isFormed ? `${refText(list)}/${patchset?.messageId ?? ''}` : `${refText(list)}/patches/${id}`;
}

/** A patchset's subject as visible text, never empty. */
export function titleText({ subject }: Pick<Patchset, 'subject'>): string {
	const title = visibleLine(subject);
	return title === '' ? vscode.l10n.t('Patchset without subject') : title;
}

/** Title of the page's tab: short and on one line. */
export function tabTitle({ list, id }: PatchsetRef, patchset: Patchset | undefined): string {
	if (!patchset) {
		return `${visibleLine(list.name)} ${id}`;
	}
	const characters = Array.from(titleText(patchset));
	const title = characters.length > 40 ? `${characters.slice(0, 39).join('')}…` : characters.join('');
	return `v${patchset.version} ${title}`;
}

/** The words that can be chosen: those that every forge knows, and those that were seen on this list. */
function statusChoices(status: PatchsetStatus, seen: readonly PatchsetStatus[]): readonly StatusChoice[] {
	const words = new Set<PatchsetStatus>([...settablePatchsetStatuses, ...seen]);
	words.delete('unknown');
	words.delete(status);
	return Array.from(words, statusChoice);
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
		case 'unknown':
			return 'unknownStatus';
		default:
			// Words that this version does not know.
			return 'unknownStatus';
	}
}

/**
 * Servers that tell what one may do in a list let its moderators set a status, and others nobody but its owner; what
 * moderators may there is not promised (docs/protocol.md#patchset-updates, docs/protocol.md#rights-in-lists).
 */
function whoMay(parts: HeadParts): string {
	const { supersedesId, id } = parts.patchset;
	const text = whoMayInList(parts);
	return firstMailOfFormed(id) === undefined || supersedesId === undefined
		? text
		: vscode.l10n.t(
				'This version has the status of its thread, which is that of patchset {0}. {1}',
				supersedesId,
				text,
			);
}

function whoMayInList(parts: HeadParts): string {
	const { ref, mine } = parts;
	if (isModerator(parts)) {
		return vscode.l10n.t('You can set the status.');
	}
	return mine === undefined
		? vscode.l10n.t('Only {0}, who owns the list, can set the status.', visibleLine(ref.list.owner))
		: vscode.l10n.t('Only moderators of the list can set the status.');
}

function isModerator({ ref, me, mine }: HeadParts): boolean {
	return ref.list.owner === me || mine?.includes('moderate') === true;
}

/** Whoever sent the cover letter or the first patch; the forge's own word where no mail tells of one person alone. */
function submitterOf({ submitter }: Patchset, standing: PatchsetReview | undefined): MailPersonView | undefined {
	const person = readSender(standing) ?? (submitter === undefined ? undefined : senderIn(submitter));
	if (person) {
		return { name: visibleLine(person.name), address: visibleLine(person.address) };
	}
	return submitter === undefined ? undefined : { name: nameOfSender(submitter), address: '' };
}

function readSender(standing: PatchsetReview | undefined): MailPerson | undefined {
	const reading = (standing?.series.cover ?? standing?.series.patches[0]?.mail)?.reading;
	const [first, ...others] = reading?.kind === 'read' ? reading.mail.from : [];
	return others.length === 0 ? first : undefined;
}
