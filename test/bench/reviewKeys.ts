import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Uri } from 'vscode';
import { nextTurn } from '@forge-desk/base/timeSlice.ts';
import { systemClock } from '../../src/app/accounts/systemClock.ts';
import type { CommandTable } from '../../src/editor/commands/feature.ts';
import type { CommandId } from '../../src/commands/table.ts';
import { fakeConnections } from '../support/fakeConnection.ts';
import { listsParts } from '../support/fakeListsParts.ts';
import {
	openDocument,
	resetStub,
	stubbedTabs,
	stubbedThreads,
	TabInputText,
	TabInputTextDiff,
	Uri as StubbedUri,
	window,
} from '../support/vscodeValues.ts';
import { blockFigure, counted } from './figures.ts';
import { largeList, largeReview, type SeriesSizes } from './largeReviews.ts';
import { longestBlock } from './longestBlock.ts';
import type { Figure, Size } from './measurement.ts';

const never = new AbortController().signal;
const sizes = {
	full: { files: 1500, patches: 300, lines: 10_000, replies: 250, keys: 7 },
	smallest: { files: 20, patches: 4, lines: 100, replies: 5, keys: 1 },
} as const;
const commentsEach = 4;

/** Steps through the files of a large series, and through the comments on a long diff. */
export async function measure(size: Size): Promise<readonly Figure[]> {
	const { commands } = await import('vscode');
	const { executeCommand } = commands;
	using owned = new DisposableStack();
	owned.defer(() => Object.assign(commands, { executeCommand }));
	const { files, patches, lines, replies, keys } = sizes[size];
	const comments = replies * commentsEach;
	const each = { replies, commentsEach };
	const series = await reviewed({ ...each, patches, filesEach: files / patches, linesEach: 7 });
	const nextFile = await leastOf(keys, () => series.press('forge.patchsets.nextFile'));
	const long = await reviewed({ ...each, patches: 1, filesEach: 1, linesEach: lines });
	const opening = await longestBlock(() => long.press('forge.patchsets.nextFile'), 1);
	assert.equal(stubbedThreads.size, comments);
	const nextComment = await leastOf(keys, () => long.press('forge.comments.next'));
	return [
		blockFigure(
			`Next file of ${counted(files)} in ${patches} patches: longest block of the host`,
			nextFile,
			`CPU time; best of ${keys} keys`,
		),
		blockFigure(
			`Next of ${counted(comments)} comments in a diff of ${counted(lines)} lines: longest block of the host`,
			nextComment,
			`CPU time; best of ${keys} keys; ${opening.toFixed(1)} ms at the first sight of the diff with all of its threads`,
		),
	];
}

function isUri(value: unknown): value is Uri {
	return value instanceof StubbedUri;
}

async function leastOf(keys: number, press: () => Promise<void>): Promise<number> {
	let least = Number.POSITIVE_INFINITY;
	for (let key = 0; key < keys; key += 1) {
		least = Math.min(least, await longestBlock(press, 1));
	}
	return least;
}

/** A review in an editor that shows what the commands open, and asks for it as the real one does. */
async function reviewed(series: SeriesSizes) {
	resetStub();
	const editor = await import('vscode');
	const { comments, Selection } = editor;
	const { diffs } = await import('../../src/features/patches/diffs/diffsFeature.ts');
	const { fileSteps } = await import('../../src/features/review/patchset/fileSteps.ts');
	const { commentCommands, commentEditors } = await import('../../src/features/review/patchset/commentCommands.ts');
	const { commentThreads } = await import('../../src/features/review/comments/commentThreads.ts');
	const connection = await largeReview(series);
	const parts = listsParts(fakeConnections(connection), systemClock);
	const opened = diffs(parts);
	const threads = commentThreads(
		parts,
		opened.files,
		undefined,
		() => false,
		() => comments.createCommentController('replies', 'Replies'),
	);
	const commands: CommandTable = {
		...opened.commands,
		...fileSteps(parts),
		...commentCommands(parts, commentEditors(parts, opened.files, threads)),
	};
	const patchset = { kind: 'patchset', connectionKey: connection.key, ref: { list: largeList, id: 1 } } as const;
	let front: Uri | undefined;

	/** Each question of the editor is a message, so it comes in a turn of its own. */
	async function show(sides: readonly Uri[]): Promise<void> {
		const [before, after] = sides;
		const input = after ? new TabInputTextDiff(before, after) : new TabInputText(before);
		stubbedTabs.splice(0, Number.POSITIVE_INFINITY, { label: 'Diff', input, isActive: true });
		window.visibleTextEditors.length = 0;
		for (const uri of sides) {
			await nextTurn();
			await opened.files.stat(uri);
			await nextTurn();
			const text = new TextDecoder().decode(await opened.files.readFile(uri));
			assert.ok(text.includes('lamp_'));
			openDocument({ uri });
			await nextTurn();
			await threads.ranges(uri, text.split('\n').length);
			const selection = new Selection(0, 0, 0, 0);
			window.visibleTextEditors.push({ document: { uri }, selection, revealRange: () => undefined });
		}
		Object.assign(window, { activeTextEditor: window.visibleTextEditors.at(-1) });
		front = sides.at(-1);
		await threads.unfold(front ?? assert.fail(), '');
	}

	Object.assign(editor.commands, {
		async executeCommand(name: string, ...args: readonly unknown[]) {
			if (name === 'forge.patchsets.openDiff') {
				await opened.commands[name]?.(args[0], never, []);
			} else if (name.startsWith('vscode.')) {
				await show(args.filter(isUri));
			}
		},
	});
	return {
		async press(command: CommandId) {
			await commands[command]?.(front ?? patchset, never, []);
		},
	};
}
