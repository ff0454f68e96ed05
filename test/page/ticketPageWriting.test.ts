import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Comment } from 'sourcehut/port/ticket.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { makeComment, makeEvent, makeParticipant, makeTicket, someTimeMs } from '../support/makeTicket.ts';
import { axeViolations } from './support/axe.ts';
import { richTicket } from '../support/richTicket.ts';
import type { PageInBrowser, PageWish } from './support/ticketPageInBrowser.ts';
import { withAssigning } from '../support/fakeAssigning.ts';
import { withEditing } from '../support/fakeEditing.ts';
import { eventually } from '../support/eventually.ts';
import { testInRest } from '../support/parts.ts';
import { ticketPages } from './support/ticketPages.ts';
import { stubbed } from '../support/vscodeValues.ts';

const name = '~alice/alpha#12';

/** A page with an editable comment. */
interface WithOwnComment extends PageInBrowser {
	readonly entry: Locator;
	readonly edit: Locator;
	readonly box: Locator;
}

suite('editing on the ticket page', function () {
	this.timeout(60_000);
	const openPage = ticketPages();

	async function open(wish: PageWish): Promise<PageInBrowser> {
		const page = await openPage(wish);
		await page.page.waitForSelector('.entry');
		return page;
	}

	/** Without saving anything. */
	async function openOwnComment(rich = richTicket()): Promise<WithOwnComment> {
		const [connection] = rich.connections.all();
		Object.assign(connection?.forge.trackers ?? {}, { editComment: () => Promise.reject(new Error('unused')) });
		const opened = await open(rich);
		const entry = opened.page.locator('[data-key="event-12"]');
		const edit = entry.getByRole('button', { name: 'Edit' });
		return { ...opened, entry, edit, box: opened.page.getByRole('textbox', { name: 'Edit your comment' }) };
	}

	test('quotes a comment, or its selected part, below the typed text', async () => {
		const { page } = await open(richTicket());
		const box = page.getByRole('textbox', { name: 'Your comment' });
		await box.fill('Before');
		const entry = page.locator('[data-key="event-10"]');
		await entry.getByRole('button', { name: 'Quote' }).click();
		const quoted = 'Before\n\n> Seen on the other forge as well.\n\n';
		await eventually(() => box.inputValue(), quoted);
		await entry.locator('.markdown p').evaluate((paragraph) => {
			const text = paragraph.firstChild;
			window.getSelection()?.setBaseAndExtent(text ?? paragraph, 0, text ?? paragraph, 4);
		});
		await entry.getByRole('button', { name: 'Quote' }).click();
		await eventually(() => box.inputValue(), `${quoted}> Seen\n\n`);
	});

	test('completes people and tickets by keyboard, and Escape closes only the list', async () => {
		const rich = richTicket();
		rich.world.tickets.set('~alice/alpha', [
			...(rich.world.tickets.get('~alice/alpha') ?? []),
			makeTicket({ id: 3, title: 'Folded headers' }),
			makeTicket({ id: 2, title: 'Colours' }),
		]);
		const [connection] = rich.connections.all();
		await connection?.tickets.tickets(rich.subject.ref.tracker, new AbortController().signal);
		const { page } = await open(rich);
		const box = page.getByRole('textbox', { name: 'Your comment' });
		await box.pressSequentially('Ask ~ca');
		await page.getByRole('option', { name: '~carol' }).waitFor();
		assert.equal(await box.getAttribute('aria-activedescendant'), 'comment-suggestions-0');
		await page.keyboard.press('Enter');
		// A shorter prefix already matched the option, so the key may precede the last response.
		await eventually(() => box.inputValue(), 'Ask ~carol ');
		await box.pressSequentially('about #fold');
		await page.getByRole('option', { name: '#3 Folded headers' }).waitFor();
		await page.keyboard.press('Escape');
		await page.getByRole('listbox', { name: 'Suggestions' }).waitFor({ state: 'hidden' });
		assert.equal(await box.inputValue(), 'Ask ~carol about #fold');
		await box.pressSequentially('e');
		await page.getByRole('option', { name: '#3 Folded headers' }).waitFor();
		await page.keyboard.press('Tab');
		assert.equal(await box.inputValue(), 'Ask ~carol about #3 ');
		assert.equal(rich.world.calls.filter((call) => call.startsWith('update')).length, 0);
	});

	test('completes labels in their colours, quoted if necessary, also after a negation', async () => {
		const rich = richTicket();
		const [connection] = rich.connections.all();
		Object.assign(connection?.forge.trackers ?? {}, { editComment: () => Promise.reject(new Error('unused')) });
		const { page } = await open(rich);
		const asked = rich.world.calls.length;
		const box = page.getByRole('textbox', { name: 'Your comment' });
		await box.pressSequentially('See label:pa');
		const option = page.getByRole('option', { name: 'parser', exact: true });
		await option.waitFor();
		// The response for the last letter redraws the list, and a removed chip has no colour.
		await eventually(
			() => option.locator('.label').evaluate((chip) => getComputedStyle(chip).backgroundColor),
			'rgb(251, 202, 4)',
		);
		await page.keyboard.press('Enter');
		await eventually(() => box.inputValue(), 'See label:parser ');
		await box.pressSequentially('(!label:"good fi');
		// It may still belong to the list of all labels; without any list Tab leaves the box.
		await page.getByRole('option', { name: 'good first ticket', exact: true }).waitFor();
		await page.keyboard.press('Tab');
		await eventually(() => box.inputValue(), 'See label:parser (!label:"good first ticket" ');
		assert.deepEqual(rich.world.calls.slice(asked), [], 'nothing was asked of the forge');
		const entry = page.locator('[data-key="event-12"]');
		await entry.getByRole('button', { name: 'Edit' }).click();
		await page.getByRole('textbox', { name: 'Edit your comment' }).fill('');
		await page.keyboard.type('label:do');
		await entry.getByRole('option', { name: 'docs', exact: true }).click();
		assert.equal(await page.getByRole('textbox', { name: 'Edit your comment' }).inputValue(), 'label:docs ');
	});

	test('a key that precedes the response takes a match for the text, never an earlier suggestion', async () => {
		const { page } = await open(richTicket());
		const box = page.getByRole('textbox', { name: 'Your comment' });
		/** Types and presses a key in one turn, before any response can arrive. */
		const typeAndPress = (text: string, key: string): Promise<void> =>
			box.evaluate(
				(element: HTMLTextAreaElement, wish) => {
					element.setRangeText(wish.text, element.value.length, element.value.length, 'end');
					element.dispatchEvent(new Event('input'));
					element.dispatchEvent(new KeyboardEvent('keydown', { key: wish.key, bubbles: true, cancelable: true }));
				},
				{ text, key },
			);
		await box.pressSequentially('label:');
		await page.getByRole('option', { name: 'bug', exact: true }).waitFor();
		await typeAndPress('"good fi', 'Tab');
		await eventually(() => box.inputValue(), 'label:"good first ticket" ');
		await box.pressSequentially('label:');
		await page.getByRole('option', { name: 'bug', exact: true }).waitFor();
		await typeAndPress('nothing-like-it', 'Enter');
		await eventually(() => box.inputValue(), 'label:"good first ticket" label:nothing-like-it\n');
	});

	test('adds and removes labels by keyboard and keeps the others', async () => {
		const rich = richTicket();
		const { page } = await open(rich);
		await page.getByRole('button', { name: 'Edit Labels' }).click();
		await page.getByRole('option', { name: 'docs' }).waitFor();
		await page.keyboard.type('docs');
		await page.keyboard.press('Enter');
		await page.keyboard.press('Control+Enter');
		await page.getByRole('dialog', { name: 'Edit Labels' }).waitFor({ state: 'hidden' });
		assert.deepEqual(await page.locator('.labels li').allTextContents(), ['bug', 'good first ticket', 'parser']);
		assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Edit Labels');
	});

	test('assigns people by keyboard, also by an unlisted name, and offers no web link for it', async () => {
		const rich = richTicket();
		const [connection] = rich.connections.all();
		assert.ok(connection);
		const api = connection.forge.trackers;
		Object.assign(api, { assign: withAssigning({ world: rich.world, api }, ['~erin']).assign });
		const { page } = await open(rich);
		await page.getByRole('button', { name: 'Assign', exact: true }).click();
		await page.getByRole('option', { name: '~alice' }).waitFor();
		await page.keyboard.type('Erin');
		await page.keyboard.press('Enter');
		await page.keyboard.press('Control+Enter');
		await page.getByRole('dialog', { name: 'Assign' }).waitFor({ state: 'hidden' });
		await page.locator('.assignees').getByText('erin').waitFor();
		await page.getByRole('button', { name: 'More Actions' }).click();
		await page.getByRole('menuitem', { name: 'Delete on the Web' }).waitFor();
		assert.equal(await page.getByRole('menuitem', { name: 'Assign on the Web' }).count(), 0);
	});

	test('leads to the web if only the web can assign people', async () => {
		const { page } = await open(richTicket());
		await page.getByRole('button', { name: 'More Actions' }).click();
		await page.getByRole('menuitem', { name: 'Assign on the Web' }).waitFor();
		assert.equal(await page.getByRole('button', { name: 'Assign', exact: true }).isVisible(), false);
	});

	test('edits title and description in place, keeps a draft, and shows newer texts before it replaces them', async () => {
		const rich = richTicket();
		const [connection] = rich.connections.all();
		assert.ok(connection);
		const api = connection.forge.trackers;
		Object.assign(api, { edit: withEditing({ world: rich.world, api }).edit });
		const { page, nextDraft } = await open(rich);
		const heading = page.getByRole('heading', { level: 1 });
		await page.getByRole('button', { name: 'Edit Title and Description' }).click();
		const title = page.getByRole('textbox', { name: 'Title' });
		await title.waitFor();
		assert.equal(await heading.getAttribute('class'), 'read-aloud');
		const draft = nextDraft();
		await title.fill('A folded header ends the parser');
		assert.match(await draft, /^A folded header ends the parser\n\n/);
		const [ticket] = rich.world.tickets.get('~alice/alpha') ?? [];
		assert.ok(ticket);
		rich.world.tickets.set('~alice/alpha', [{ ...ticket, title: 'Theirs' }]);
		await page.keyboard.press('Control+Enter');
		await page.getByText('Someone has changed the title or description since you began.').waitFor();
		await eventually(() => heading.textContent(), 'Theirs');
		assert.equal(await heading.getAttribute('class'), '');
		await page.keyboard.press('Control+Enter');
		await title.waitFor({ state: 'detached' });
		await eventually(() => heading.textContent(), 'A folded header ends the parser');
		await page.getByRole('button', { name: 'More Actions' }).click();
		assert.equal(await page.getByRole('menuitem', { name: 'Edit Title and Description on the Web' }).count(), 0);
	});

	test('shows and changes the mail subscription', async () => {
		const rich = richTicket();
		const [connection] = rich.connections.all();
		assert.ok(connection);
		let isOn = true;
		Object.assign(connection.forge.trackers, {
			subscriptions: {
				isSubscribed: async () => isOn,
				setSubscribed: async (_: unknown, isWanted: boolean) => {
					isOn = isWanted;
				},
			},
		});
		const { page } = await open(rich);
		await page.getByRole('button', { name: 'Unsubscribe' }).click();
		await page.getByRole('button', { name: 'Subscribe', exact: true }).waitFor();
		assert.equal(isOn, false);
	});

	test('cancelling an edit of the title leaves nothing behind', async () => {
		const rich = richTicket();
		const [connection] = rich.connections.all();
		assert.ok(connection);
		const api = connection.forge.trackers;
		Object.assign(api, { edit: withEditing({ world: rich.world, api }).edit });
		const { page, nextDraft } = await open(rich);
		await page.getByRole('button', { name: 'Edit Title and Description' }).click();
		const title = page.getByRole('textbox', { name: 'Title' });
		await title.fill('Never mind');
		const draft = nextDraft();
		await page.getByRole('button', { name: 'Cancel' }).click();
		assert.equal(await draft, '');
		await page.getByRole('heading', { level: 1, name: /^The parser stops/ }).waitFor();
		assert.ok(!rich.world.calls.some((call) => call.startsWith('edit')));
	});

	test('two quick presses save labels once and keep labels that others added meanwhile', async () => {
		const rich = richTicket();
		const [ticket] = rich.world.tickets.get('~alice/alpha') ?? [];
		assert.ok(ticket);
		const setLabels = (...labels: readonly string[]): void =>
			void rich.world.tickets.set('~alice/alpha', [{ ...ticket, labels }]);
		setLabels('bug', 'docs');
		const { page, asked } = await open(rich);
		await page.getByRole('button', { name: 'Edit Labels' }).click();
		await page.getByRole('option', { name: 'docs' }).waitFor();
		await page.keyboard.type('docs');
		await page.keyboard.press('Enter');
		setLabels('bug', 'docs', 'parser');
		await page.getByRole('dialog', { name: 'Edit Labels' }).evaluate((dialog) => {
			// In one turn, before any response can arrive.
			for (let time = 0; time < 2; time += 1) {
				const key = { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true };
				dialog.dispatchEvent(new KeyboardEvent('keydown', key));
			}
		});
		await page.getByRole('dialog', { name: 'Edit Labels' }).waitFor({ state: 'hidden' });
		await eventually(() => page.locator('.labels li').allTextContents(), ['bug', 'parser']);
		assert.deepEqual(
			rich.world.calls.filter((call) => call.startsWith('update')),
			['update ~alice/alpha#12 {"labels":["bug","parser"]}'],
		);
		assert.equal(asked.filter((question) => question === 'changeLabels').length, 1);
	});

	for (const width of [1000, 700, 320]) {
		const testWidth = width === 320 ? test : testInRest;
		testWidth(`the label box stays within the page at any position of its button (${width} px)`, async () => {
			const { page } = await open({ ...richTicket(), width });
			await page.getByRole('button', { name: 'Edit Labels' }).click();
			await page.getByRole('option', { name: 'docs' }).waitFor();
			const box = page.getByRole('dialog', { name: 'Edit Labels' });
			await eventually(
				() =>
					box.evaluate((element) => {
						const { left, right } = element.getBoundingClientRect();
						const { clientWidth, scrollLeft, scrollWidth } = document.documentElement;
						return [left >= 0, right <= clientWidth, scrollLeft, scrollWidth <= clientWidth];
					}),
				[true, true, 0, true],
			);
		});
	}

	test('Escape keeps the labels unchanged', async () => {
		const rich = richTicket();
		const { page } = await open(rich);
		await page.getByRole('button', { name: 'Edit Labels' }).click();
		await page.getByRole('option', { name: 'bug' }).waitFor();
		await page.keyboard.press('Enter');
		await page.keyboard.press('Escape');
		await page.getByRole('dialog', { name: 'Edit Labels' }).waitFor({ state: 'hidden' });
		assert.equal(rich.world.calls.filter((call) => call.startsWith('update')).length, 0);
	});

	test('keys pressed before the label list loads apply when it does', async () => {
		const rich = richTicket();
		const reading = Promise.withResolvers<void>();
		rich.world.before = (call) => (call.startsWith('labels') ? reading.promise : undefined);
		const { page } = await open(rich);
		await page.getByRole('button', { name: 'Edit Labels' }).click();
		await page.keyboard.type('docs');
		await page.keyboard.press('Enter');
		await page.keyboard.press('Control+Enter');
		reading.resolve();
		await page.getByRole('dialog', { name: 'Edit Labels' }).waitFor({ state: 'hidden' });
		assert.deepEqual(await page.locator('.labels li').allTextContents(), ['bug', 'good first ticket', 'parser']);
	});

	for (const [what, keys] of [
		['a quick key does not save labels that the user ticked and cancelled before', ['Control+Enter']],
		['a quick key in a label list that closes before it loads saves nothing', ['Control+Enter', 'Escape']],
	] as const) {
		test(what, async () => {
			const { page, asked } = await open(richTicket());
			const button = page.getByRole('button', { name: 'Edit Labels' });
			const dialog = page.getByRole('dialog', { name: 'Edit Labels' });
			const choice = dialog.getByRole('option', { name: 'bug' });
			await button.click();
			await choice.waitFor();
			await page.keyboard.press('Enter');
			await page.keyboard.press('Escape');
			await dialog.waitFor({ state: 'hidden' });
			await button.evaluate((element: HTMLElement, pressed) => {
				// In one turn, before any response can arrive.
				element.click();
				for (const key of pressed) {
					const init = { key: key.replace('Control+', ''), ctrlKey: key.startsWith('Control+') };
					document.activeElement?.dispatchEvent(
						new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }),
					);
				}
			}, keys);
			await dialog.waitFor({ state: 'hidden' });
			// Any request caused by that list was sent before the response to this one.
			await button.click();
			await choice.waitFor();
			assert.ok(!asked.includes('changeLabels'));
		});
	}

	test('does not offer to resend a comment that a lookup found after a lost response', async () => {
		const rich = richTicket();
		rich.world.after = () => {
			throw new ForgeError({ kind: 'serverError', status: 502 });
		};
		const { page } = await open(rich);
		const box = page.getByRole('textbox', { name: 'Your comment' });
		await box.fill('Only once');
		await page.keyboard.press('Control+Enter');
		await page.getByText('The response was lost, but your comment was posted.').waitFor();
		assert.equal(await box.inputValue(), '');
		assert.equal(await page.getByRole('button', { name: 'Send Again' }).count(), 0);
		assert.equal(rich.world.events.get(name)?.filter(({ comment }) => comment?.text === 'Only once').length, 1);
	});

	test('stops offering a status that the forge is known to reject', async () => {
		const rich = richTicket();
		const { page } = await open(rich);
		await page.getByRole('button', { name: 'Choose a resolution' }).click();
		assert.ok((await page.getByRole('menuitemradio').allTextContents()).includes('Set to Pending'));
		rich.world.before = (call) => {
			if (call.startsWith('update')) {
				throw new ForgeError({ kind: 'invalid', errors: [{ field: 'resolution', reason: 'resolution is required' }] });
			}
		};
		await page.getByRole('menuitemradio', { name: 'Set to Pending' }).click();
		await page.getByRole('button', { name: 'Set to Pending' }).click();
		await page.locator('.composer .failure:not(:empty)').waitFor();
		await page.getByRole('button', { name: 'Choose a resolution' }).click();
		assert.ok(!(await page.getByRole('menuitemradio').allTextContents()).includes('Set to Pending'));
	});

	test('edits the user’s own comment in place, and keeps the text with a web link after a rejection', async () => {
		const rich = richTicket();
		const mine = makeComment('Mine', { id: 77, submitter: makeParticipant('alice') });
		rich.world.events.set(name, [
			makeEvent({ id: 20, kinds: ['comment'], comment: mine }),
			...(rich.world.events.get(name) ?? []),
		]);
		const [connection] = rich.connections.all();
		let refuse = true;
		Object.assign(connection?.forge.trackers ?? {}, {
			async editComment(_: unknown, id: number, text: string): Promise<Comment> {
				if (refuse) {
					throw new ForgeError({ kind: 'notAllowed' });
				}
				return { ...mine, id: id + 1, text, createdMs: someTimeMs };
			},
		});
		const { page, followed } = await open(rich);
		const entry = page.locator('[data-key="event-20"]');
		await entry.getByRole('button', { name: 'Edit' }).click();
		const box = page.getByRole('textbox', { name: 'Edit your comment' });
		assert.equal(await box.inputValue(), 'Mine');
		await box.fill('Mine, mended');
		await page.keyboard.press('Control+Enter');
		await entry.getByRole('link', { name: 'Edit on the Web' }).click();
		await eventually(async () => followed, ['https://todo.forge.test/~alice/alpha/12/edit/77']);
		assert.equal(await box.inputValue(), 'Mine, mended');
		refuse = false;
		await entry.getByRole('button', { name: 'Save' }).click();
		await entry.locator('.markdown p', { hasText: 'Mine, mended' }).waitFor();
		assert.equal(await page.locator('[data-key="event-1"]').getByRole('button', { name: 'Edit' }).count(), 0);
	});

	test('edits an own comment with the same completion and preview as a new one', async () => {
		const rich = richTicket();
		const [connection] = rich.connections.all();
		const edited: string[] = [];
		Object.assign(connection?.forge.trackers ?? {}, {
			async editComment(_: unknown, id: number, text: string): Promise<Comment> {
				edited.push(text);
				return makeComment(text, { id: id + 1, submitter: makeParticipant('alice') });
			},
		});
		const { page } = await open(rich);
		const entry = page.locator('[data-key="event-12"]');
		await entry.getByRole('button', { name: 'Edit' }).click();
		const box = page.getByRole('textbox', { name: 'Edit your comment' });
		await box.fill('Ask ~ca');
		await box.pressSequentially('r');
		const option = entry.getByRole('option', { name: '~carol' });
		await option.waitFor();
		// Nothing covers the suggestion. Each letter's response recreates it.
		await eventually(
			() =>
				option.evaluate((element) => {
					const { left, top, width, height } = element.getBoundingClientRect();
					return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
				}),
			true,
		);
		assert.equal(await box.getAttribute('aria-activedescendant'), 'edit-12-suggestions-0');
		await page.keyboard.press('Enter');
		await eventually(() => box.inputValue(), 'Ask ~carol ');
		await box.pressSequentially('about **#3**');
		await entry.getByRole('tab', { name: 'Preview' }).click();
		await entry.locator('.preview strong a').waitFor();
		assert.equal(await entry.locator('.preview strong a').textContent(), '#3');
		assert.equal(await page.locator('.composer .preview').isHidden(), true, 'the other box stays as it is');
		assert.equal(
			await page.evaluate(() => {
				const ids = Array.from(document.querySelectorAll('[id]'), ({ id }) => id);
				return ids.length - new Set(ids).size;
			}),
			0,
		);
		await entry.getByRole('button', { name: 'Save' }).click();
		await entry.locator('.comment-editor').waitFor({ state: 'detached' });
		assert.deepEqual(edited, ['Ask ~carol about **#3**']);
	});

	test('a second click on Edit keeps the typed text', async () => {
		const { page, edit, box } = await openOwnComment();
		await edit.dblclick();
		await box.fill('Half a change');
		// A second time, before the page stores a draft.
		await edit.click();
		assert.equal(await box.evaluate((element) => document.activeElement === element), true);
		await page.locator('[data-key="event-10"]').getByRole('button', { name: 'Quote' }).click();
		// Earlier requests have their responses by then.
		const comment = page.getByRole('textbox', { name: 'Your comment', exact: true });
		await eventually(() => comment.inputValue(), '> Seen on the other forge as well.\n\n');
		assert.equal(await box.inputValue(), 'Half a change');
	});

	test('cancelling an edit shows the comment’s change from elsewhere', async () => {
		const rich = richTicket();
		const [connection] = rich.connections.all();
		const { page, entry, edit, box } = await openOwnComment(rich);
		await edit.click();
		await box.fill('Half a change');
		const event = rich.world.events.get(name)?.find(({ id }) => id === 12);
		assert.ok(event?.comment);
		const changed = { ...event, comment: { ...event.comment, text: 'Changed elsewhere' } };
		const later = makeEvent({ id: 99, kinds: ['comment'], comment: makeComment('Later') });
		connection?.tickets.apply({ kind: 'eventsAdded', ticket: rich.subject.ref, events: [later, changed] });
		await page.locator('[data-key="event-99"]').waitFor();
		assert.equal(await box.inputValue(), 'Half a change');
		assert.equal(await box.evaluate((element) => document.activeElement === element), true);
		await entry.getByRole('button', { name: 'Cancel' }).click();
		await entry.locator('.markdown p', { hasText: 'Changed elsewhere' }).waitFor();
	});

	test('suggestions for a text that lost the focus stay hidden', async () => {
		const { page, asked } = await open(richTicket());
		const box = page.getByRole('textbox', { name: 'Your comment' });
		await box.evaluate((element: HTMLTextAreaElement) => {
			// In one turn: the response arrives after the box loses the focus.
			element.focus();
			element.setRangeText('Ask ~', 0, 0, 'end');
			element.dispatchEvent(new Event('input'));
			element.blur();
		});
		await page.getByRole('button', { name: 'Edit Labels' }).click();
		// Earlier requests have their responses by then.
		await page.getByRole('option', { name: 'docs' }).waitFor();
		const answers = asked.filter((question) => question === 'complete' || question === 'labelChoices');
		assert.deepEqual(answers, ['complete', 'labelChoices']);
		assert.equal(await page.locator('.suggestions').first().isHidden(), true);
		assert.equal(await box.getAttribute('aria-activedescendant'), null);
	});

	test('keys of a chord type nothing into the box, and the next key does', async () => {
		const { page } = await open(richTicket());
		const box = page.getByRole('textbox', { name: 'Your comment' });
		await box.focus();
		await page.keyboard.press('Alt+j');
		await page.keyboard.press('m');
		assert.equal(await box.inputValue(), '');
		await page.keyboard.press('m');
		assert.equal(await box.inputValue(), 'm');
	});

	test('quotes the whole comment if the selection extends beyond it', async () => {
		const { page } = await open(richTicket());
		const entry = page.locator('[data-key="event-10"]');
		await entry.locator('.markdown p').evaluate((paragraph) => {
			const end = document.querySelector('[data-key="event-12"] .markdown p');
			window.getSelection()?.setBaseAndExtent(paragraph.firstChild ?? paragraph, 5, end ?? paragraph, 1);
		});
		await entry.getByRole('button', { name: 'Quote' }).click();
		const box = page.getByRole('textbox', { name: 'Your comment' });
		await eventually(() => box.inputValue(), '> Seen on the other forge as well.\n\n');
	});

	for (const height of [800, 500]) {
		const testHeight = height === 500 ? test : testInRest;
		testHeight(`buttons beside the box stay under the pointer (${height} px)`, async () => {
			const { page } = await open({ ...richTicket(), height });
			const box = page.getByRole('textbox', { name: 'Your comment' });
			await box.fill('Short');
			await page.getByRole('tab', { name: 'Preview' }).click();
			await page.locator('.preview').getByText('Short').waitFor();
			await page.getByRole('tab', { name: 'Write' }).click();
			await box.click();
			await page.getByRole('button', { name: 'Comment and Resolve as fixed' }).click();
			await page.locator('.status-resolved').waitFor();
		});
	}

	test('the preview never shows an outdated text', async () => {
		const rich = richTicket();
		const [connection] = rich.connections.all();
		Object.assign(connection?.forge.trackers ?? {}, { editComment: () => Promise.reject(new Error('unused')) });
		const { page } = await open(rich);
		const box = page.getByRole('textbox', { name: 'Your comment' });
		const shown = page.locator('.composer .preview');
		const tab = page.locator('.composer').getByRole('tab', { name: 'Preview' });
		await box.fill('Earlier');
		await tab.click();
		await shown.getByText('Earlier').waitFor();
		await page.locator('.composer').getByRole('tab', { name: 'Write' }).click();
		await box.fill('Later');
		const atOnce = await tab.evaluate((element: HTMLElement) => {
			element.click();
			return document.querySelector('.composer .preview')?.textContent;
		});
		assert.equal(atOnce, '');
		await shown.getByText('Later').waitFor();
		await tab.evaluate((element: HTMLElement) => {
			// In one turn: the response about the text arrives too late.
			const write = element.previousElementSibling;
			element.click();
			write?.dispatchEvent(new MouseEvent('click'));
			const textarea = document.querySelector('textarea');
			if (textarea) {
				textarea.value = '';
			}
			element.click();
		});
		await shown.getByText('There is nothing to preview.').waitFor();
		await page.locator('[data-key="event-12"]').getByRole('button', { name: 'Edit' }).click();
		// Earlier requests have their responses by then.
		await page.getByRole('textbox', { name: 'Edit your comment' }).waitFor();
		assert.equal(await shown.textContent(), 'There is nothing to preview.');
	});

	test('restores an unsaved edit of a comment after a reload', async () => {
		const { page, edit, box, nextDraft } = await openOwnComment();
		const keeping = nextDraft();
		await edit.click();
		await box.fill('Half a change');
		assert.equal(await keeping, 'Half a change');
		await page.reload();
		await box.waitFor({ state: 'attached' });
		assert.equal(await box.inputValue(), 'Half a change');
	});

	test('a cancelled edit of a comment does not return with the next edit', async () => {
		const { entry, edit, box } = await openOwnComment();
		await edit.click();
		const before = await box.inputValue();
		await box.fill('Half a change');
		await entry.getByRole('button', { name: 'Cancel' }).click();
		await edit.click();
		assert.equal(await box.inputValue(), before);
	});

	test('stores the text at least once a second during continuous typing', async () => {
		const { page, nextDraft } = await open({ ...richTicket(), hasOwnTime: true });
		const box = page.getByRole('textbox', { name: 'Your comment' });
		const keeping = nextDraft();
		// The test controls the page's time, so typing has no pause on any machine.
		await page.clock.install();
		await page.clock.pauseAt(Date.now() + 60_000);
		await box.press('x');
		for (let passedMs = 0; passedMs < 900; passedMs += 100) {
			await page.clock.runFor(100);
			await box.press('x');
		}
		assert.match(await keeping, /^x{1,10}$/);
	});

	test('a forbidden deletion stays in the menu with its reason, and does nothing', async () => {
		const rich = richTicket();
		const [connection] = rich.connections.all();
		assert.ok(connection);
		Object.assign(connection.forge.trackers, { removeTicket: async () => undefined });
		const [ticket] = rich.world.tickets.get('~alice/alpha') ?? [];
		assert.ok(ticket);
		const permissions = {
			mine: ['browse', 'comment'],
			anonymous: undefined,
			submitter: undefined,
			user: undefined,
		} as const;
		rich.world.tickets.set('~alice/alpha', [{ ...ticket, permissions }]);
		Object.defineProperty(connection, 'me', { value: '~carol' });
		const { page } = await open(rich);
		await page.getByRole('button', { name: 'More Actions' }).click();
		const remove = page.getByRole('menuitem', { name: 'Delete Ticket' });
		assert.equal(await remove.getAttribute('aria-disabled'), 'true');
		assert.match((await remove.getAttribute('aria-description')) ?? '', /Ask ~alice for permission to edit/);
		await remove.click({ force: true });
		assert.equal(await remove.isVisible(), true);
		assert.deepEqual(await axeViolations(page), []);
		assert.ok(!stubbed.executed.includes('forge.tickets.delete'));
	});

	test('the menu links all actions that only the web offers', async () => {
		const { page } = await open(richTicket());
		await page.getByRole('button', { name: 'More Actions' }).click();
		assert.deepEqual(await page.getByRole('menuitem').allTextContents(), [
			'Edit Title and Description on the Web',
			'Assign on the Web',
			'Manage Labels on the Web',
			'Delete on the Web',
		]);
	});
});
