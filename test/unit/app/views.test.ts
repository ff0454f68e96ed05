import '../../support/vscodeStub.ts';
import type * as vscode from 'vscode';
import type { LiveConnections } from '../../../src/app/accounts/connections.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import type { TreeSource } from '../../../src/editor/trees/treeSource.ts';
import type { TreeNode } from '../../../src/editor/trees/treeNode.ts';
import type { Connection } from '../../../src/store/connection.ts';
import { eventually } from '../../support/eventually.ts';
import { makeInstance } from '../../support/makeSession.ts';
import { fakeClock } from '../../support/fakeClock.ts';
import { fakeKept, quietProblems } from '../../support/fakeTicketsParts.ts';
import { standFor } from '../../support/standFor.ts';
import { resetStub, stubbed } from '../../support/vscodeValues.ts';

const { filledViews } = await import('../../../src/app/views.ts');

const silent = new Emitter<never>().event;
const view = standFor<vscode.TreeView<TreeNode>>({
	selection: [],
	onDidChangeSelection: silent,
	onDidExpandElement: silent,
	onDidCollapseElement: silent,
	onDidChangeVisibility: silent,
});
const source = standFor<TreeSource>({ onDidChange: silent });

function inEach<T>(value: T): Readonly<Record<keyof Parameters<typeof filledViews>[0]['sources'], T>> {
	return {
		'forge.inbox': value,
		'forge.outbox': value,
		'forge.tickets': value,
		'forge.lists': value,
		'forge.repositories': value,
		'forge.search': value,
		'forge.history': value,
	};
}

suite('context keys of the palette', () => {
	setup(resetStub);

	test('show Edit Ticket and Assign Ticket only with a forge that supports them', async () => {
		const changed = new Emitter<void>();
		let writes: Partial<Connection['writes']> = { canAssign: () => false, editTicket: undefined };
		const filled = filledViews({
			views: inEach(view),
			sources: inEach(source),
			connections: standFor<LiveConnections>({
				all: () => [{ writes, instance: makeInstance() }],
				onDidChange: changed.event,
				onDidReplaceToken: new Emitter<string>().event,
			}),
			kept: (_, owner) => fakeKept()(owner),
			problems: quietProblems,
			clock: fakeClock(),
			ready: Promise.resolve(),
		});
		const keys = async (): Promise<unknown> =>
			['forge.canAssign', 'forge.canEdit'].map((key) => stubbed.contexts.get(key));
		await eventually(keys, [false, false]);
		writes = { canAssign: () => true, editTicket: async () => undefined };
		changed.fire();
		await eventually(keys, [true, true]);
		filled.dispose();
	});
});
