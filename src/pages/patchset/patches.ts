import type { PatchesChange, PatchFileView, PatchView } from '../protocol/patchsetProtocol.ts';
import { h, setAttributes, pushButton } from '../dom.ts';
import { fill, dot, pilled } from '../texts.ts';
import { icon } from '../icons.ts';
import { counted, lineCounts, linkButton, mailBlocks, type MailTextContext } from '../mailBlocks.ts';
import { cautionLines, personParts } from '../mailPeople.ts';
import type { PageSteps } from '../pageWork.ts';
import { fileTree, type Folding } from './fileTree.ts';
import type { PageContext } from './pageContext.ts';

/** Longer series use lazy layout. */
const manyPatches = 30;

/** The same of comments on a patch. */
const manyComments = 50;

/** Which files the page shows, saved over a reload. */
export interface FilesLook {
	readonly areViewedHidden: boolean;
	/** `21 src/pages/`: folded folders of patches. */
	readonly folded: readonly string[];
}

/** Maximum number of stored folders. */
const mostFolded = 1000;

/** Patches with author, size, files and comments. */
export function patches(context: PageContext, before: FilesLook, keep: (look: FilesLook) => void) {
	const folded = new Set(before.folded);
	const hide = h('input', { type: 'checkbox', id: 'hide-viewed' });
	hide.checked = before.areViewedHidden;
	const told = (): void => {
		element.classList.toggle('hide-viewed', hide.checked);
		keep({ areViewedHidden: hide.checked, folded: [...folded].slice(-mostFolded) });
	};
	hide.addEventListener('change', told);
	const list = h('ol', { class: 'patches' });
	const none = h('p', { class: 'quiet', hidden: true }, context.strings.noPatches);
	const element = h(
		'section',
		{ class: 'part', hidden: true, 'aria-labelledby': 'patches-title' },
		h(
			'div',
			{ class: 'part-head' },
			h('h2', { id: 'patches-title' }, context.strings.patches),
			h('label', { for: 'hide-viewed' }, hide, ' ', context.strings.hideViewed),
		),
		none,
		list,
	);
	element.classList.toggle('hide-viewed', before.areViewedHidden);
	const rows: HTMLElement[] = [];
	return {
		element,
		/** Takes the reply box of a patch. */
		slotOf(mail: number): HTMLElement | undefined {
			const row = rows.find((each) => each.dataset['mail'] === String(mail));
			const slot = row && (row.querySelector<HTMLElement>(':scope > .reply-slot') ?? h('div', { class: 'reply-slot' }));
			row?.append(slot ?? '');
			return slot;
		},
		*show({ count, put }: PatchesChange): PageSteps {
			element.hidden = false;
			none.hidden = count > 0;
			list.classList.toggle('many', count > manyPatches);
			rows.slice(count).forEach((gone) => gone.remove());
			rows.length = Math.min(rows.length, count);
			for (const { at, patch } of put) {
				const before = rows[at];
				const row = h('li', { class: 'patch', 'data-mail': String(patch.mailId), tabindex: '-1' });
				if (!before) {
					rows[at] = row;
					list.insertBefore(row, rows.slice(at + 1).find((each) => each !== undefined) ?? null);
				}
				yield* fillRow(row, patch, {
					...context,
					isAlone: count === 1,
					isFolded: (folder) => folded.has(`${patch.mailId} ${folder}`),
					fold(folder, isFolded) {
						if (folded[isFolded ? 'add' : 'delete'](`${patch.mailId} ${folder}`)) {
							told();
						}
					},
				});
				if (before) {
					rows[at] = row;
					takePlace(before, row);
				}
				yield;
			}
		},
	};
}

/** Replaces a changed patch; keeps open sections and focus. */
function takePlace(before: HTMLElement, row: HTMLElement): void {
	const unfolded = Array.from(before.querySelectorAll<HTMLDetailsElement>('.letter'), ({ open }) => open);
	row.querySelectorAll<HTMLDetailsElement>('.letter').forEach((details, at) => {
		details.open = unfolded[at] ?? details.open;
	});
	const focused = before.contains(document.activeElement) ? document.activeElement : null;
	const slot = before.querySelector(':scope > .reply-slot');
	before.replaceWith(row);
	row.append(slot ?? '');
	if (slot && focused instanceof HTMLElement && slot.contains(focused)) {
		focused.focus({ preventScroll: true });
	} else if (focused) {
		const actions = Array.from(row.querySelectorAll<HTMLElement>('button, summary, a, input'));
		(actions.find((each) => nameOf(each) === nameOf(focused)) ?? actions[0])?.focus({ preventScroll: true });
	}
}

function nameOf(control: Element): string {
	return control.getAttribute('aria-label') ?? control.textContent;
}

interface RowContext extends PageContext, Folding {
	readonly isAlone: boolean;
}

/** A check box, so that its state is no mere word. */
function viewedBox(is: boolean | 'partly', text: string, about: string, toggle: () => void): readonly HTMLElement[] {
	const box = h('input', { type: 'checkbox', 'aria-label': `${text} ${about}` });
	const draw = (): void => {
		box.checked = is === true;
		box.indeterminate = is === 'partly';
	};
	draw();
	box.addEventListener('change', () => {
		// The host decides; its next view draws the state.
		draw();
		toggle();
	});
	return [h('label', { class: 'viewed' }, box, ' ', h('span', { 'aria-hidden': 'true' }, text))];
}

function* fillRow(row: HTMLElement, patch: PatchView, context: RowContext): PageSteps {
	const { strings } = context;
	const files = patch.files.length + patch.moreFiles;
	const mail = { strings: strings.mail, locale: context.locale };
	const isPartly = !patch.viewed.isAll && patch.viewed.text !== '';
	const viewed = viewedBox(isPartly ? 'partly' : patch.viewed.isAll, strings.viewed, patch.title, () =>
		context.ask('toggleViewed', { mail: patch.mailId }),
	);
	row.append(
		h(
			'h3',
			{},
			...(patch.number === '' ? [] : [h('span', { class: 'number' }, patch.number), ' ']),
			pilled(patch.title),
		),
		h(
			'p',
			{ class: 'byline' },
			...(patch.author ? [...personParts(patch.author, context.people), dot()] : []),
			lineCounts(patch, mail),
			dot(),
			files === 1 ? strings.oneFile : fill(strings.severalFiles, counted(files, context)),
			dot(),
			linkButton(strings.openDiff, () => context.ask('openDiff', { mail: patch.mailId }), patch.title),
			dot(),
			linkButton(strings.showRaw, () => context.ask('showRaw', { mail: patch.mailId }), patch.title),
			...(files === 0 ? [] : [dot(), ...viewed, ...(patch.viewed.text === '' ? [] : [dot(), patch.viewed.text])]),
			dot(),
			linkButton(strings.reply, () => context.reply(patch.mailId), patch.title),
		),
		...cautionLines(patch.cautions, strings.mail),
		...folded(strings.applied, patch.applied, context, patch),
		...folded(strings.message, patch.message, context, patch),
		...folded(strings.notes, patch.commentary, context, patch),
	);
	const tree = h('ul');
	row.append(tree);
	yield* fileTree(tree, patch.files, (file, name) => fileRow(file, name, patch.mailId, context), context);
	if (patch.moreFiles > 0) {
		tree.append(h('li', { class: 'quiet' }, fill(strings.moreFiles, counted(patch.moreFiles, context))));
	}
	if (patch.comments.length > 0) {
		row.append(yield* commentList(patch.comments, context));
	}
}

/** Comments on one line each. The conversation has them in full. */
function* commentList(comments: PatchView['comments'], context: RowContext): PageSteps<HTMLElement> {
	const list = h('ul', {
		class: comments.length > manyComments ? 'comments many' : 'comments',
		'aria-label': context.strings.comments,
	});
	for (const { mailId, index, writer, place, text, isQuestion } of comments) {
		list.append(
			h(
				'li',
				{},
				icon(isQuestion ? 'unknown' : 'comment'),
				h(
					'span',
					{},
					linkButton(text, () => context.ask('openComment', { mail: mailId, comment: index })),
					' ',
					h('span', { class: 'quiet' }, pilled([writer, place].filter((each) => each !== '').join(' · '))),
				),
			),
		);
		yield;
	}
	return list;
}

function folded(
	label: string,
	blocks: PatchView['message'],
	context: RowContext,
	{ mailId, title }: PatchView,
): readonly HTMLElement[] {
	if (blocks.length === 0) {
		return [];
	}
	const mailContext = mailTextContext(mailId, context);
	// For a single patch, show the message unfolded.
	return [
		h(
			'details',
			{ class: 'letter', open: context.isAlone },
			h('summary', {}, label, h('span', { class: 'read-aloud' }, ': ', pilled(title))),
			...mailBlocks(blocks, mailContext),
		),
	];
}

/** Actions for a mail's text. */
export function mailTextContext(mailId: number, { strings, locale, ask }: PageContext): MailTextContext {
	return {
		strings: strings.mail,
		locale,
		areQuotesOpen: () => false,
		openDiff: (part) => ask('openDiff', { mail: mailId, part }),
		showRaw: () => ask('showRaw', { mail: mailId }),
		openDocument: () => ask('openMail', mailId),
		saveAttachment: () => ask('openMail', mailId),
		openAttachment: () => ask('openMail', mailId),
	};
}

function fileRow(file: PatchFileView, name: string, mailId: number, context: PageContext): HTMLElement {
	const { strings } = context;
	const { change, isBinary, mode, trouble } = file;
	const open = pushButton('link path', () => context.ask('openDiff', { mail: mailId, part: file.index }), pilled(name));
	setAttributes(open, { title: file.path });
	const facts = [...(isBinary ? [strings.mail.binary] : []), ...(mode === '' ? [] : [mode])];
	const item = h(
		'li',
		{},
		h(
			'span',
			{ class: `letter-of letter-${change}`, title: file.word },
			h('span', { 'aria-hidden': 'true' }, file.letter),
			h('span', { class: 'read-aloud' }, file.word),
		),
		h(
			'span',
			{ class: 'file' },
			open,
			...(file.added + file.removed === 0
				? []
				: [' ', lineCounts(file, { strings: strings.mail, locale: context.locale })]),
			...(facts.length === 0 ? [] : [' ', h('span', { class: 'quiet' }, pilled(facts.join(', ')))]),
			...(trouble === undefined ? [] : [' ', h('span', { class: 'trouble' }, icon('warning'), pilled(trouble))]),
			...(file.comments === '' ? [] : [' ', h('span', { class: 'quiet' }, file.comments)]),
		),
		...viewedBox(file.isViewed, strings.viewed, file.path, () =>
			context.ask('toggleViewed', { mail: mailId, part: file.index }),
		),
	);
	setAttributes(item, { 'data-viewed': file.isViewed });
	return item;
}
