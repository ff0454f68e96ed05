import '../support/vscodeStub.ts';
import type { Page } from 'playwright-core';
import type { PersonChange, RowView } from '../../src/pages/protocol/personProtocol.ts';
import { fakeClock } from '../support/fakeClock.ts';
import { peopleWorld } from '../support/fakePeople.ts';
import { pausing } from '../support/pageInBrowser.ts';
import { personPages } from './support/personPages.ts';
import { resetStub } from '../support/vscodeValues.ts';
import { eventually } from '../support/eventually.ts';

function row(key: string, fact: string): RowView {
	return {
		key,
		icon: 'tracker',
		state: undefined,
		title: key,
		facts: [fact],
		atMs: undefined,
		fresh: undefined,
		tie: undefined,
	};
}

/** The page loads in parts, and each part redraws only its differences. */
suite('a press on a row of the person page', function () {
	this.timeout(120_000);
	const open = personPages();
	setup(resetStub);

	function change(...rows: readonly RowView[]): PersonChange {
		const trackers = {
			kind: 'rows',
			groups: [{ title: 'Busy', isFolded: false, rows }],
			none: '',
			counts: '',
			more: undefined,
			isReading: true,
			troubles: [],
		} as const;
		return { head: undefined, sections: { trackers } };
	}

	function title(page: Page, key: string): ReturnType<Page['locator']> {
		return page.locator('.part-trackers .row-title').filter({ hasText: key });
	}

	for (const [what, next] of [
		['another row changes its text', [row('first', 'two tickets'), row('second', 'quiet')]],
		['another row appears', [row('first', 'one ticket'), row('second', 'quiet'), row('third', 'two tickets')]],
	] as const) {
		test(`still clicks when ${what} before the release`, async () => {
			const { page, tell } = await open({ connection: peopleWorld(pausing(fakeClock())).connection, name: '~bob' });
			await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
			tell('changed', change(row('first', 'one ticket'), row('second', 'quiet')));
			const second = title(page, 'second');
			await second.waitFor();
			await page.evaluate(() => {
				const note = ({ target }: Event): void => {
					document.body.dataset['clicked'] =
						(target instanceof Element ? target.closest('button') : null)?.textContent ?? '';
				};
				document.addEventListener('click', note, true);
			});
			await second.hover();
			await page.mouse.down();
			tell('changed', change(...next));
			await page.getByText('two tickets').waitFor();
			await page.mouse.up();
			await eventually(() => page.locator('body').getAttribute('data-clicked'), 'second');
		});
	}
});
