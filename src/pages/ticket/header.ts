import type { WebPlace } from '../protocol/ticketProtocol.ts';
import type { TicketPageStrings } from '../protocol/ticketStrings.ts';
import type { HeadView, NameChoice, NamedInView } from '../protocol/ticketView.ts';
import { disabledBecause, h, holdsFocus, hostHtml, setAttributes, onClick } from '../dom.ts';
import { failure } from '../failure.ts';
import { icon } from '../icons.ts';
import { moreMenu } from '../moreMenu.ts';
import { referenceButton } from '../referenceButton.ts';
import { dot, labelChip, pilled, sentenceNodes } from '../texts.ts';
import type { Times } from '../times.ts';
import { textEditor, type TextEditorParts } from './textEditor.ts';
import { nameEditor, type NameEditorParts } from './nameEditor.ts';
import { reasonOf } from '../voice.ts';

export interface HeaderParts {
	readonly labels: Pick<NameEditorParts, 'choices' | 'change'>;
	readonly assignees: Pick<NameEditorParts, 'choices' | 'change'>;
	readonly strings: TicketPageStrings;
	readonly times: Times;
	readonly subscribe: (isWanted: boolean) => void;
	readonly copyReference: () => void;
	readonly remove: () => void;
	readonly openOnWeb: (place: WebPlace) => void;
	readonly namings: MentionActions;
	readonly text: Omit<TextEditorParts, 'strings' | 'shown'>;
	/** Reads the ticket and its timeline again. */
	readonly again: () => void;
}

/**
 * Reference, status, labels, title, submitter, dates, a notice about cached data, description and mentions; permissions
 * at the end.
 */
export function header(parts: HeaderParts) {
	const { strings, times } = parts;
	const reference = referenceButton(strings.copyReference, parts.copyReference);
	const status = h('span', {});
	const labels = h('ul', { class: 'labels', 'aria-label': strings.labels });
	const editor = nameEditor({
		...parts.labels,
		strings,
		id: 'label',
		picture: 'label',
		title: strings.editLabels,
		heading: strings.labels,
		find: strings.findLabel,
		none: strings.noLabels,
		look: ({ look }) => labelChip(look),
	});
	const assigning = nameEditor({
		...parts.assignees,
		strings,
		id: 'person',
		picture: 'person',
		title: strings.assign,
		heading: strings.people,
		find: strings.findPerson,
		none: strings.noPeople,
		look: ({ look }) => h('span', {}, pilled(look.name)),
		typed: typedPerson,
	});
	const web = h('span', { class: 'corner' });
	const title = h('h1');
	const editing = onClick(
		h('button', { type: 'button', class: 'bare', 'aria-label': strings.editText }, strings.edit),
		() => {
			if (editing.getAttribute('aria-disabled') !== 'true') {
				texts.open(true);
			}
		},
	);
	let isSubscribed: boolean | undefined;
	const subscribing = onClick(h('button', { type: 'button', class: 'bare' }), () =>
		parts.subscribe(isSubscribed !== true),
	);
	const texts = textEditor({ ...parts.text, strings, shown });
	const byline = h('p', { class: 'byline' });
	const before = h('div', { class: 'notice', role: 'status' });
	const description = h('div');
	const permissions = h('details', { class: 'permissions' });
	const naming = namedIn(strings, parts.namings);
	const element = h(
		'div',
		{},
		h(
			'header',
			{ class: 'ticket-head' },
			h('div', { class: 'facts' }, reference.element, status, labels, editor.element, assigning.element, web),
			texts.element,
			h('div', { class: 'title-row' }, title, editing, subscribing),
			byline,
			before,
		),
		h(
			'section',
			{ class: 'description', 'aria-labelledby': 'description-title' },
			h('h2', { id: 'description-title', class: 'read-aloud' }, strings.description),
			description,
			naming.element,
		),
	);
	const end = h('div', { class: 'ticket-end' }, permissions, naming.look);
	let descriptionHtml: string | undefined;
	let isEditing = false;
	let canEdit = false;

	function show(head: HeadView): void {
		reference.show(head.reference);
		setAttributes(status, { class: `status status-${head.status.icon}` });
		status.replaceChildren(icon(head.status.icon), pilled(head.status.text));
		labels.hidden = head.labels.length === 0;
		labels.replaceChildren(...head.labels.map((label) => h('li', {}, labelChip(label))));
		title.replaceChildren(pilled(head.title));
		byline.replaceChildren(
			sentenceNodes(head.submitted),
			dot(),
			times.element(head.submittedAtMs),
			...(head.assigned ? [dot(), sentenceNodes(head.assigned)] : []),
		);
		before.replaceChildren(...(head.readBefore === '' ? [] : failure(head.readBefore, strings.tryAgain, parts.again)));
		// Keep equal content, so that selections survive.
		if (head.descriptionHtml !== descriptionHtml) {
			({ descriptionHtml } = head);
			description.replaceChildren(
				descriptionHtml === ''
					? h('p', { class: 'quiet' }, strings.noDescription)
					: h('div', { class: 'markdown' }, hostHtml(descriptionHtml)),
			);
		}
		showPermissions(head);
		naming.show(head.namedIn);
		showEditing(head.canEdit);
		({ isSubscribed } = head);
		subscribing.hidden = isSubscribed === undefined;
		subscribing.textContent = isSubscribed === true ? strings.unsubscribe : strings.subscribe;
		editor.show(head.canTriage);
		assigning.element.hidden = head.canAssign === undefined;
		if (head.canAssign) {
			assigning.show(head.canAssign);
		}
		showWeb(head);
	}

	let onWeb: string | undefined;

	/** Keep an equal menu, so that it stays open. */
	function showWeb({ canAssign, canEdit: editsHere, canDelete, managesLabels }: HeadView): void {
		const only = {
			assigns: canAssign === undefined,
			edits: editsHere === undefined,
			deletes: canDelete === undefined,
			labels: !managesLabels,
		};
		const undeletable = canDelete?.kind === 'impossible' ? canDelete.reason : undefined;
		const now = JSON.stringify([only, undeletable]);
		if (now !== onWeb) {
			onWeb = now;
			web.replaceChildren(webMenu(parts, only, undeletable));
		}
	}

	function showPermissions({ permissions: all }: HeadView): void {
		permissions.hidden = all.length === 0;
		permissions.replaceChildren(
			h('summary', {}, strings.permissions),
			h(
				'dl',
				{},
				...all.flatMap(({ who, may, isInherited }) => [
					h('dt', {}, who),
					h('dd', {}, pilled(may), ...(isInherited ? [h('span', { class: 'quiet' }, ` · ${strings.inherited}`)] : [])),
				]),
			),
		);
	}

	function showEditing(can: HeadView['canEdit']): void {
		canEdit = can !== undefined;
		editing.hidden = isEditing || !canEdit;
		setAttributes(editing, disabledBecause(can?.kind === 'impossible' ? can.reason : undefined));
	}

	/** In a conflict, shows the other person's text below the boxes. */
	function shown(isOpen: boolean, isConflict: boolean): void {
		isEditing = isOpen;
		setAttributes(element, { 'data-editing': isOpen && !isConflict ? 'true' : undefined });
		// A page needs a heading for accessibility.
		title.classList.toggle('read-aloud', isOpen && !isConflict);
		editing.hidden = isOpen || !canEdit;
		if (!isOpen && holdsFocus(texts.element)) {
			editing.focus();
		}
	}

	return {
		element,
		/** Permissions and the search for mentions; rarely needed, so below the timeline. */
		end,
		show,
		/** Replaces title and description by input boxes. */
		editText: (takesFocus: boolean) => texts.open(takesFocus),
	};
}

/** Any account can be assigned, known here or not. */
function typedPerson(text: string): NameChoice | undefined {
	const name = text.startsWith('~') ? text : `~${text}`;
	return /^~[a-z_][a-z0-9_-]{0,63}$/.test(name) ? { name, look: { name, colors: undefined }, isOn: false } : undefined;
}

/** Actions of the website, and deletion or why it is refused. */
function webMenu(
	{ strings, openOnWeb, remove }: HeaderParts,
	only: Readonly<Record<'assigns' | 'edits' | 'deletes' | 'labels', boolean>>,
	undeletable: string | undefined,
): HTMLElement {
	return moreMenu(strings, () => openOnWeb('ticket'), [
		...(only.edits ? [{ text: strings.editOnWeb, run: () => openOnWeb('edit') }] : []),
		...(only.assigns ? [{ text: strings.assignOnWeb, run: () => openOnWeb('ticket') }] : []),
		{ text: only.labels ? strings.labelsOnWeb : strings.manageLabels, run: () => openOnWeb('labels') },
		only.deletes
			? { text: strings.deleteOnWeb, run: () => openOnWeb('delete') }
			: { text: strings.deleteTicket, reason: undeletable, run: remove },
	]);
}

/** Actions for mentions. */
interface MentionActions {
	readonly open: (key: string) => void;
	/** Searches for more mentions. */
	readonly look: () => Promise<void>;
	/** Announces to screen readers. */
	readonly say: (text: string) => void;
}

/** Patchsets and mails that mention the ticket. */
function namedIn(strings: TicketPageStrings, actions: MentionActions) {
	const heading = h('h3', { id: 'named-in-title' }, strings.namedIn);
	const list = h('ul', { 'aria-labelledby': 'named-in-title' });
	const look = onClick(
		h('button', { class: 'link look', type: 'button' }, strings.lookForNamings),
		() => void lookNow(),
	);
	const note = h('span', { class: 'quiet' });
	const element = h('div', { class: 'named-in', hidden: '' }, heading, list);
	let shown: readonly NamedInView[] = [];
	let said = '';

	async function lookNow(): Promise<void> {
		if (look.getAttribute('aria-disabled') === 'true') {
			return;
		}
		look.setAttribute('aria-disabled', 'true');
		note.textContent = strings.looking;
		try {
			await actions.look();
			note.textContent = shown.length === 0 ? strings.noNamings : '';
			actions.say(shown.length === 0 ? strings.noNamings : `${strings.namedIn}: ${shown.length}`);
		} catch (error) {
			note.textContent = reasonOf(error);
			actions.say(note.textContent);
		} finally {
			look.removeAttribute('aria-disabled');
		}
	}

	return {
		/** Known mentions; hidden while empty. */
		element,
		/** Button to search for more. */
		look: h('p', { class: 'look-for-namings' }, look, note),
		show(rows: readonly NamedInView[]) {
			shown = rows;
			element.hidden = rows.length === 0;
			const now = JSON.stringify(rows);
			if (now !== said) {
				said = now;
				list.replaceChildren(...rows.map((row) => rowElement(row, actions)));
			}
		},
	};
}

function rowElement({ key, kind, title, version, list, trailer }: NamedInView, { open }: MentionActions): HTMLElement {
	return h(
		'li',
		{},
		icon(kind === 'patchset' ? 'patchset' : 'comment'),
		onClick(h('button', { class: 'link', type: 'button' }, pilled(title)), () => open(key)),
		h('span', { class: 'quiet' }, pilled([version, trailer ?? '', list].filter((fact) => fact !== '').join(' · '))),
	);
}
