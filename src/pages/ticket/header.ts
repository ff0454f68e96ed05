import { h, disabledBecause, holdsFocus, setAttributes, pushButton, oneAtATime } from '../dom.ts';
import { failure } from '../failure.ts';
import { icon } from '../icons.ts';
import { moreMenu } from '../menu.ts';
import type { TextStart, TicketText, WebPlace, HeadView, NamedInView } from '../protocol/ticketProtocol.ts';
import { referenceButton } from '../referenceButton.ts';
import { markdownText, dot, labelChip, pilled, sentenceNodes } from '../texts.ts';
import { reasonOf } from '../voice.ts';
import { editForm } from './editForm.ts';
import { nameEditor } from './nameEditor.ts';
import { textBox } from './textBox.ts';
import type { TicketPage } from './ticketPage.ts';

/**
 * Boxes for title and description. `shown`: called when they open or close; in a `conflict`, title and description stay
 * visible too.
 */
function textEditor(page: TicketPage, shown: (isOpen: boolean, conflict: boolean) => void) {
	const element = h('div', { class: 'text-editor', hidden: true });
	let isOpening = false;

	async function open(takesFocus: boolean): Promise<void> {
		const focus = (): void => (takesFocus ? element.querySelector('input')?.focus() : undefined);
		if (isOpening || !element.hidden) {
			focus();
			return;
		}
		isOpening = true;
		try {
			element.replaceChildren(form(await page.link.ask('ticketText', undefined)));
			element.hidden = false;
			shown(true, false);
			focus();
		} catch (error) {
			page.say(reasonOf(error));
		} finally {
			isOpening = false;
		}
	}

	function close(): void {
		// Call first: the removal loses the focus that it checks.
		shown(false, false);
		element.replaceChildren();
		element.hidden = true;
	}

	/** Starts with the current text, or its draft. */
	function form({ title, description, from }: TextStart): HTMLElement {
		const { strings, link, done, tellWriting } = page;
		const line = h('input', { type: 'text', 'aria-label': strings.title, spellcheck: 'true' });
		line.value = title;
		const box = textBox(page, 'edit-text', strings.description, description);
		const typed = (): TicketText => ({ title: line.value, description: box.textarea.value });
		let standsOn = from;
		/** Stores a draft; two empty texts delete it. */
		function keep(text: TicketText): void {
			tellWriting();
			done(link.ask('keepText', text));
		}
		return editForm(
			strings,
			box,
			{
				keep: () => keep(typed()),
				drop: () => keep({ title: '', description: '' }),
				async save() {
					const answer = await link.ask('editText', { ...typed(), from: standsOn });
					if (answer.kind === 'done') {
						return undefined;
					}
					if (answer.kind === 'conflict') {
						standsOn = answer.now;
						shown(true, true);
					}
					return [answer.text];
				},
				close,
			},
			line,
		);
	}

	return {
		element,
		/** Leaves the focus alone when it opens without a request. */
		open: (takesFocus: boolean): void => void open(takesFocus),
	};
}

/**
 * Reference, status, labels, title, submitter, dates, a notice about cached data, description and mentions; permissions
 * at the end.
 */
export function header(page: TicketPage) {
	const { strings, times, link, done } = page;
	const reference = referenceButton(strings.copyReference, () =>
		done(link.ask('copyReference', undefined), strings.copied),
	);
	const status = h('span', {});
	const labels = h('ul', { class: 'labels', 'aria-label': strings.labels });
	const people = h('ul', { class: 'assignees', 'aria-label': strings.assignees });
	const editor = nameEditor(page, 'label');
	const assigning = nameEditor(page, 'person');
	const web = h('span', { class: 'corner' });
	const title = h('h1');
	const editing = pushButton(
		{ class: 'bare', 'aria-label': strings.editText },
		() => {
			if (editing.getAttribute('aria-disabled') !== 'true') {
				texts.open(true);
			}
		},
		strings.edit,
	);
	let isSubscribed: boolean | undefined;
	const subscribing = pushButton('bare', () => done(link.ask('subscribe', isSubscribed !== true)));
	const texts = textEditor(page, shown);
	const byline = h('p', { class: 'byline' });
	const before = h('div', { class: 'notice', role: 'status' });
	const description = h('div');
	const permissions = h('details', { class: 'permissions' });
	const naming = namedIn(page);
	const element = h(
		'div',
		{},
		h(
			'header',
			{ class: 'ticket-head' },
			h('div', { class: 'facts' }, reference.element, web),
			texts.element,
			h('div', { class: 'title-row' }, title, editing, subscribing),
			h('div', { class: 'standing' }, status, byline),
			h(
				'dl',
				{ class: 'named' },
				h('dt', {}, strings.labels),
				h('dd', {}, labels, editor.element),
				h('dt', {}, strings.assignees),
				h('dd', {}, people, assigning.element),
			),
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
		showNames(labels, head.labels.map(labelChip), strings.noLabelsYet);
		const assignees = head.assignees.map((person) => sentenceNodes([person]));
		showNames(people, assignees, strings.noAssignees);
		title.replaceChildren(pilled(head.title));
		byline.replaceChildren(sentenceNodes(head.submitted), dot(), times.element(head.submittedAtMs));
		before.replaceChildren(
			...(head.readBefore === ''
				? []
				: failure(head.readBefore, strings.tryAgain, () => done(link.ask('again', undefined)))),
		);
		// Keep equal content, so that selections survive.
		if (head.descriptionHtml !== descriptionHtml) {
			({ descriptionHtml } = head);
			description.replaceChildren(
				descriptionHtml === '' ? h('p', { class: 'quiet' }, strings.noDescription) : markdownText(descriptionHtml),
			);
		}
		permissions.hidden = head.permissions.length === 0;
		permissions.replaceChildren(
			h('summary', {}, strings.permissions),
			h(
				'dl',
				{},
				...head.permissions.flatMap(({ who, may, isInherited }) => [
					h('dt', {}, who),
					h('dd', {}, pilled(may), ...(isInherited ? [h('span', { class: 'quiet' }, ` · ${strings.inherited}`)] : [])),
				]),
			),
		);
		naming.show(head.namedIn);
		canEdit = head.canEdit !== undefined;
		editing.hidden = isEditing || !canEdit;
		setAttributes(editing, disabledBecause(head.canEdit?.kind === 'impossible' ? head.canEdit.reason : undefined));
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
			web.replaceChildren(webMenu(page, only, undeletable));
		}
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

/** The names, or a word for none. */
function showNames(list: HTMLElement, names: readonly Node[], none: string): void {
	list.replaceChildren(
		...(names.length === 0 ? [h('li', { class: 'quiet' }, none)] : names.map((name) => h('li', {}, name))),
	);
}

/** Actions of the website, and deletion or why it is refused. */
function webMenu(
	{ strings, link, done }: TicketPage,
	only: Readonly<Record<'assigns' | 'edits' | 'deletes' | 'labels', boolean>>,
	undeletable: string | undefined,
): HTMLElement {
	const openOnWeb = (place: WebPlace): void => done(link.ask('openOnWeb', place));
	return moreMenu(strings, () => openOnWeb('ticket'), [
		...(only.edits ? [{ text: strings.editOnWeb, run: () => openOnWeb('edit') }] : []),
		...(only.assigns ? [{ text: strings.assignOnWeb, run: () => openOnWeb('ticket') }] : []),
		{ text: only.labels ? strings.labelsOnWeb : strings.manageLabels, run: () => openOnWeb('labels') },
		only.deletes
			? { text: strings.deleteOnWeb, run: () => openOnWeb('delete') }
			: { text: strings.deleteTicket, reason: undeletable, run: () => done(link.ask('remove', undefined)) },
	]);
}

/** Patchsets and mails that mention the ticket. */
function namedIn({ strings, link, say, done }: TicketPage) {
	const heading = h('h3', { id: 'named-in-title' }, strings.namedIn);
	const list = h('ul', { 'aria-labelledby': 'named-in-title' });
	const note = h('span', { class: 'quiet' });
	const look = pushButton(
		'link look',
		() =>
			void oneAtATime(look, async () => {
				note.textContent = strings.looking;
				try {
					await link.ask('lookForNamings', undefined);
					note.textContent = shown.length === 0 ? strings.noNamings : '';
					say(shown.length === 0 ? strings.noNamings : `${strings.namedIn}: ${shown.length}`);
				} catch (error) {
					note.textContent = reasonOf(error);
					say(note.textContent);
				}
			}),
		strings.lookForNamings,
	);
	const element = h('div', { class: 'named-in', hidden: '' }, heading, list);
	let shown: readonly NamedInView[] = [];
	let said = '';

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
				list.replaceChildren(
					...rows.map(({ key, kind, title, version, list: of, trailer = '' }) =>
						h(
							'li',
							{},
							icon(kind === 'patchset' ? 'patchset' : 'comment'),
							pushButton('link', () => done(link.ask('openNamedIn', key)), pilled(title)),
							h('span', { class: 'quiet' }, pilled([version, trailer, of].filter((fact) => fact !== '').join(' · '))),
						),
					),
				);
			}
		},
	};
}
