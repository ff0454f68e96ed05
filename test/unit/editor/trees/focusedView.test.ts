import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { Emitter } from '@forge-desk/base/event.ts';
import { viewIds, type ViewId } from '../../../../src/commands/viewIds.ts';
import { standFor } from '../../../support/standFor.ts';
import { bringToFront, stubbedFront } from '../../../support/stubbedFront.ts';
import { resetStub } from '../../../support/vscodeValues.ts';

const { focusedView } = await import('../../../../src/editor/trees/focusedView.ts');

suite('view for a palette command', () => {
	setup(resetStub);

	test('is the one with the last chosen rows, until an editor or a page takes the keyboard', () => {
		const chosen = new Emitter<{ readonly selection: readonly { readonly id: string }[] }>();
		const pageFocus = new Emitter<void>();
		const view = {
			visible: true,
			selection: [] as readonly { readonly id: string }[],
			onDidChangeSelection: chosen.event,
		};
		const quiet = { visible: true, selection: [], onDidChangeSelection: new Emitter<never>().event };
		const all = viewIds.map((id) => [id, id === 'forge.lists' ? view : quiet] as const);
		const focused = focusedView(standFor<Parameters<typeof focusedView>[0]>(Object.fromEntries(all)), pageFocus.event);
		const choose = (...ids: readonly string[]): void => {
			view.selection = ids.map((id) => ({ id }));
			chosen.fire({ selection: view.selection });
		};
		const now = (): readonly [ViewId, ...string[]] | undefined => {
			const found = focused.now();
			return found && [found.view, ...found.rows.map(({ id }) => id)];
		};
		assert.equal(now(), undefined);
		choose('a', 'b');
		assert.deepEqual(now(), ['forge.lists', 'a', 'b']);
		for (const [how, leave] of [
			['a page', () => pageFocus.fire()],
			['another editor', () => bringToFront({ toString: () => 'file:///a.c' })],
			[
				'a click in the editor in front',
				() => stubbedFront.selections.forEach((hear) => hear({ kind: 2, textEditor: stubbedFront.editor })),
			],
		] as const) {
			choose(how);
			assert.deepEqual(now(), ['forge.lists', how]);
			leave();
			assert.equal(now(), undefined, how);
			// A redraw drops the selection and restores it.
			choose();
			choose(how);
			assert.equal(now(), undefined, how);
		}
		choose('c');
		view.visible = false;
		assert.equal(now(), undefined, 'a view out of sight');
		focused.dispose();
	});
});
