import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TreeNode } from '../../../src/editor/trees/treeNode.ts';
import { uriOfPlace } from '../../../src/features/repositories/subjects/place.ts';
import { stubbed } from '../../support/vscodeValues.ts';
import { openDesk, type WalkedDesk } from './desk.ts';
import type { Walk } from './walkFigures.ts';
import type { Tracer } from './tracer.ts';

/** Turns without a moment that end a walk; bursts of changes end after 150 ms. Turns grow with the load, as bursts do. */
const quietTurns = 12;
const turnMs = 50;

/** Walks three ways through the real program, with cold caches. */
export async function takeWalks(tracer: Tracer): Promise<readonly Walk[]> {
	let marks = 0;
	const desk = await openDesk((name, about) => {
		marks += 1;
		tracer.mark(name, about);
	});
	const quiet = async (): Promise<void> => {
		let before = marks;
		for (let turns = 0; turns < quietTurns; turns = marks === before && !desk.isWaiting() ? turns + 1 : 0) {
			before = marks;
			await new Promise((resolve) => void setTimeout(resolve, turnMs));
		}
	};
	try {
		const ticket = await shownTicket(desk);
		const patchset = await shownPatchset(desk);
		await quiet();
		const status = await tracer.trace(async () => {
			desk.tickets.select(ticket);
			stubbed.answers.push('fixed');
			await desk.runner.run('forge.tickets.resolve', { rowsOf: 'forge.tickets' });
			await quiet();
		});
		assert.ok(
			status.moments.some(({ name, about }) => name === 'told' && about === ticket.id),
			'the row is drawn anew',
		);
		const patch = await tracer.trace(async () => {
			await openFile(desk, patchset);
			await quiet();
		});
		assert.ok(
			patch.moments.some(({ name }) => name === 'parsed'),
			'the patch is parsed',
		);
		const folder = await tracer.trace(async () => {
			const place = {
				kind: 'entry',
				connectionKey: desk.connection.key,
				ref: lantern,
				at: { ref: 'HEAD', path: 'src' },
			} as const;
			const entries = await desk.files.readDirectory(uriOfPlace(place));
			assert.ok(entries.length > 0, 'the folder has entries');
		});
		return [
			{ name: 'status', trace: status },
			{ name: 'patch', trace: patch },
			{ name: 'folder', trace: folder },
		];
	} finally {
		await desk.close();
	}
}

const lantern = { owner: '~alice', name: 'lantern' };

function rowOf(rows: readonly TreeNode[], id: string): TreeNode {
	const row = rows.find((each) => each.id.endsWith(id));
	assert.ok(row, `${id} is among ${rows.map((each) => each.id).join(' ')}`);
	return row;
}

async function shownTicket({ tickets }: WalkedDesk): Promise<TreeNode> {
	const tracker = rowOf(await tickets.unfold(), '/~alice/announce');
	return rowOf(await tickets.unfold(tracker), '#4');
}

async function shownPatchset({ lists }: WalkedDesk): Promise<TreeNode> {
	const list = rowOf(await lists.unfold(), '/~alice/lantern-devel');
	const group = rowOf(await lists.unfold(list), '/patchsets');
	const [queue] = await lists.unfold(group);
	return rowOf(await lists.unfold(queue), '/patchsets/34');
}

/** Unfolds a patchset and one of its patches, clicks its first file, and reads both sides of the diff. */
async function openFile({ lists, runner, patches }: WalkedDesk, patchset: TreeNode): Promise<void> {
	const below = await lists.unfold(patchset);
	const patch = below.find(({ item: { label } }) => typeof label === 'string' && label.startsWith('3/4 '));
	assert.ok(patch, 'the patchset has its third patch');
	const file = (await lists.unfold(patch)).find(({ item }) => item.command?.command === 'forge.patchsets.openDiff');
	assert.ok(file, 'the patch has a file');
	const executed = stubbed.executed.length;
	await runner.run('forge.patchsets.openDiff', file);
	assert.deepEqual(stubbed.executed.slice(executed), ['vscode.diff']);
	for (const side of [stubbed.passed.at(-1), stubbed.passedMore.at(-1)?.[0]]) {
		assert.ok(side instanceof vscode.Uri, 'a side has an address');
		const bytes = await patches.readFile(side);
		assert.ok(bytes.length > 0, 'a side has a text');
	}
}
