import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { listConnection } from '../support/fakeLists.ts';
import { makeMail } from '../support/makeMail.ts';
import { makeComment, makeEvent, makeTicket } from '../support/makeTicket.ts';
import { keepPicture } from './support/pagePictures.ts';
import { testInRest } from '../support/parts.ts';
import { richTicket } from '../support/richTicket.ts';
import { threadPages } from './support/threadPages.ts';
import { threadWorld } from '../support/threadWorld.ts';
import { ticketPages } from './support/ticketPages.ts';

/** A sentence with code, a list, a quote and a code block. */
const markdown = [
	'`foo(bar)` הפונקציה נכשלת ב-Linux, ראו `src/a.c`!',
	'',
	'1. ראשון',
	'2. שני',
	'',
	'> ציטוט קצר.',
	'',
	'```',
	'// הערה',
	'call();',
	'```',
	'',
	'An English sentence ends it.',
].join('\n');

/** The computed direction of each element. */
async function directions(page: Page, selector: string): Promise<readonly string[]> {
	return page
		.locator(selector)
		.evaluateAll((elements) => elements.map((element) => getComputedStyle(element).direction));
}

/** The side of each element's bar; must match the side of its padding. */
async function bars(page: Page, selector: string): Promise<readonly string[]> {
	return page.locator(selector).evaluateAll((elements) =>
		elements.map((element) => {
			const { paddingLeft, paddingRight, backgroundPositionX, backgroundImage } = getComputedStyle(element);
			const room = paddingLeft === '0px' ? 'right' : paddingRight === '0px' ? 'left' : 'both';
			const bar = backgroundPositionX === '100%' && backgroundImage.includes('to left') ? 'right' : 'left';
			return room === bar ? room : `room ${room}, bar ${bar}`;
		}),
	);
}

/** True if a line's first letters are to the right of its last ones. */
async function runsRightToLeft(page: Page, selector: string, line: string): Promise<boolean> {
	return page
		.locator(selector)
		.first()
		.evaluate((element, wanted) => {
			const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
			const left = (node: Node, at: number): number => {
				const range = document.createRange();
				range.setStart(node, at);
				range.setEnd(node, at + 1);
				return range.getBoundingClientRect().left;
			};
			for (let node = walker.nextNode(); node; node = walker.nextNode()) {
				const at = node.textContent?.indexOf(wanted) ?? -1;
				if (at >= 0) {
					return left(node, at) > left(node, at + wanted.length - 1);
				}
			}
			throw new Error(`No line ${wanted}`);
		}, line);
}

suite('right-to-left text', function () {
	this.timeout(120_000);
	const openTicket = ticketPages();
	const openThread = threadPages();

	for (const theme of ['light', 'dark'] as const) {
		const testTheme = theme === 'light' ? test : testInRest;
		testTheme(`has its direction in tickets, and code keeps its own, ${theme}`, async () => {
			const rich = richTicket();
			const name = '~alice/alpha#12';
			const [, ...others] = rich.world.tickets.get('~alice/alpha') ?? [];
			const title = 'הכותרת של Linux, ועוד!';
			rich.world.tickets.set('~alice/alpha', [makeTicket({ title, description: markdown }), ...others]);
			rich.world.events.set(name, [
				makeEvent({ id: 1, kinds: ['comment'], comment: makeComment(markdown, { id: 1 }) }),
			]);
			const { page } = await openTicket({ ...rich, theme });
			await page.locator('.timeline .markdown').first().waitFor();
			for (const text of ['.description .markdown', '.timeline .markdown']) {
				assert.deepEqual(await directions(page, `${text} > *`), ['rtl', 'rtl', 'rtl', 'ltr', 'ltr'], text);
				assert.deepEqual(await directions(page, `${text} code`), ['ltr', 'ltr', 'ltr'], text);
				assert.ok(await runsRightToLeft(page, `${text} li`, 'ראשון'));
			}
			assert.ok(await runsRightToLeft(page, 'h1', title));
			await keepPicture(page, `right-to-left-ticket-${theme}`);
		});

		testTheme(`has its direction in mails, line by line, ${theme}`, async () => {
			const world = threadWorld();
			const lines = ['שלום, Linux עובד!', 'An English line, too!'] as const;
			const quote = ['> ציטוט של Linux!', '> Linux works, too!'];
			const text = [...lines, '', ...quote, '', 'תודה.', '', '> An English quote.'].join('\n');
			world.world.mails.push(makeMail({ id: 9, threadId: 1, parentId: 1, subject: 'Re: נושא, Linux!', text }));
			const { page } = await openThread({ connection: listConnection(world.api), theme });
			const mail = '.mail[data-mail="9"]';
			await page.locator(`${mail} .mail-text`).first().waitFor();
			assert.ok(await runsRightToLeft(page, `${mail} .mail-text`, lines[0]));
			assert.ok(!(await runsRightToLeft(page, `${mail} .mail-text`, lines[1])));
			// The page folds a quote of several lines.
			await page.locator(`${mail} button.fold`).click();
			assert.ok(await runsRightToLeft(page, `${mail} .quoted`, 'ציטוט של Linux!'));
			assert.ok(!(await runsRightToLeft(page, `${mail} .quoted`, 'Linux works, too!')));
			assert.deepEqual(await bars(page, `${mail} .quoted`), ['right', 'left']);
			await keepPicture(page, `right-to-left-thread-${theme}`);
		});
	}
});
