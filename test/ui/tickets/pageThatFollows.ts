import { chainedSuite } from '../../support/chain.ts';
import { eventually } from '../../support/eventually.ts';
import type { Dialect, SampleForge } from '../../support/sampleForge.ts';
import { knowing } from '../support/sampleWindow.ts';
import { clickRow, expand, openContainer, runCommand, treeItem, viewSection, webview } from '../support/user.ts';
import { borrowForge, giveBackForge } from '../support/sharedForge.ts';
import { useWorkbench } from '../support/workbench.ts';

/** High enough for all the rows that the tests need, because a tree renders only rows in view. */
const viewport = { width: 1280, height: 1200 } as const;

/** Tickets opened one after another share one tab. */
export function pageThatFollows(dialect: Dialect): Mocha.Suite {
	return chainedSuite(`${dialect}: preview page of tickets`, () => {
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await borrowForge(dialect);
		});
		const workbench = useWorkbench(() => ({ name: 'follows', env: knowing(forge, 'alice'), viewport }));
		suiteTeardown(() => giveBackForge(forge));

		const tabs = (): Promise<readonly string[]> =>
			workbench()
				.page.locator('.editor-group-container')
				.getByRole('tab')
				.evaluateAll((all) => all.map((tab) => /^#\d+/.exec(tab.ariaLabel ?? '')?.[0] ?? tab.ariaLabel ?? ''));

		/** A row by its ticket, such as `#3`. */
		const row = (number: string): RegExp => new RegExp(` ${number}, `);

		/** The tickets of the rows below the tracker, from top to bottom. */
		async function rows(): Promise<readonly string[]> {
			const labels = await viewSection(workbench().page, 'Tickets')
				.locator('.monaco-list-row[aria-level="2"]')
				.evaluateAll((all) => all.map((row) => row.ariaLabel ?? ''));
			return labels.flatMap((label) => / (#\d+), /.exec(label)?.[1] ?? []);
		}

		test('rows share one tab when clicked in turn, or reached by key', async () => {
			const { page } = workbench();
			await openContainer(page, 'Forge');
			await expand(page, /website/);
			await treeItem(page, / #\d+, /).waitFor();
			const numbers = await rows();
			const [first = '', second = '', third = '', fourth = ''] = numbers;
			for (const number of [first, second]) {
				await clickRow(page, row(number));
				await eventually(tabs, [number]);
			}
			for (const number of [third, fourth]) {
				await page.keyboard.press('Alt+J');
				await page.keyboard.press('N');
				await eventually(tabs, [number]);
			}
			await webview(page)
				.getByText(new RegExp(`${fourth}\\b`))
				.first()
				.waitFor();
		});

		test('a page with typed text stays, and the next one opens next to it', async () => {
			const { page } = workbench();
			const [written = ''] = await tabs();
			const box = webview(page).getByRole('textbox', { name: 'Your comment' });
			await box.fill('Half a thought');
			const [first = '', second = ''] = await rows();
			await clickRow(page, row(first));
			await eventually(tabs, [written, first]);
			await clickRow(page, row(second));
			await eventually(tabs, [written, second]);
			await runCommand(page, 'Forge: Keep Page Open');
			await page
				.locator('.statusbar-item')
				.filter({ hasText: `Kept open: ${second} ` })
				.waitFor();
			await clickRow(page, row(first));
			await eventually(tabs, [written, second, first]);
			await clickRow(page, row(written));
			// The active page receives its state a moment after the click on its row.
			await eventually(() => box.inputValue(), 'Half a thought');
		});

		test('two clicks on a row keep its page', async () => {
			const { page } = workbench();
			const before = await tabs();
			const others = (await rows()).filter((number) => !before.includes(number));
			const [kept = '', next = ''] = others;
			const last = before.at(-1) ?? '';
			await treeItem(page, row(kept)).dblclick();
			await eventually(tabs, [...before.filter((tab) => tab !== last), kept]);
			await clickRow(page, row(next));
			await eventually(tabs, [...before.filter((tab) => tab !== last), kept, next]);
		});
	});
}
