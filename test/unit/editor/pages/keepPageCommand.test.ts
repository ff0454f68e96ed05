import '../../../support/vscodeStub.ts';
import type { WindowPages } from '../../../../src/editor/pages/pageHost.ts';
import { fake } from '../../../support/fake.ts';
import assert from 'node:assert/strict';
import { stubbed } from '../../../support/vscodeValues.ts';

const { keepPageCommand } = await import('../../../../src/editor/pages/pageHost.ts');

suite('command that keeps a page open', () => {
	for (const [title, said] of [
		['#3 Stairs', 'Kept open: #3 Stairs'],
		['#3 \u202Eriats $(x)', 'Kept open: #3 ⟨U+202E⟩riats'],
		[undefined, 'No Forge Desk page is open.'],
	] as const) {
		test(`says ${said}`, async () => {
			stubbed.shown.length = 0;
			await keepPageCommand(fake<WindowPages>({ keepInFront: () => title }))['forge.keepPage']?.(
				undefined,
				new AbortController().signal,
				[],
			);
			assert.equal(stubbed.shown.length, 1);
			assert.ok(stubbed.shown[0]?.startsWith(said), stubbed.shown[0]);
		});
	}
});
