import '../support/vscodeStub.ts';
import { Pool } from 'undici';
import type { Uri } from 'vscode';
import type { Forge } from 'sourcehut/port/forge.ts';
import type { Connection } from '../../src/store/connection.ts';
import { ListStore } from '../../src/store/lists/listStore.ts';
import { fakeConnections, keptNames } from '../support/fakeConnection.ts';
import { mailStores } from '../support/mailStores.ts';
import { readPatchsets, wholeFilesOver } from '../support/samplePatchsets.ts';
import { standFor } from '../support/standFor.ts';
import { resetStub, stubbed, Uri as StubbedUri } from '../support/vscodeValues.ts';
import { countFigure, ratioFigure } from './figures.ts';
import { compare } from './interleaved.ts';
import type { Figure, Size } from './measurement.ts';
import { openAccount } from './packagedNet.ts';
import { journalInMemory } from '../support/journalInMemory.ts';

const me = '~alice';
const list = { owner: me, name: 'lantern-devel' } as const;
const subject = 'mouse: drag to select';
const path = 'README.md';
const latencyMs = 10;
const roundsOf = { full: 42, smallest: 1 } as const;
const signal = new AbortController().signal;

/** A new window, with empty caches of lists and repositories. */
interface Window extends Disposable {
	/** Opens the file by its row's command and reads both sides. Resolves to the kind of the later side. */
	open(): Promise<string | undefined>;
}

/** Opening the first diff of a patchset in a new window, against the same bare requests. */
export async function measure(size: Size): Promise<readonly Figure[]> {
	await using owned = new AsyncDisposableStack();
	const { forge, instance, connected, headers, openStore } = await openAccount(owned, { latencyMs });
	const place = await placeOf(connected);
	const { diffs } = await import('../../src/features/patches/diffs/diffsFeature.ts');
	const { listsParts } = await import('../support/fakeListsParts.ts');
	const { placeOfDocument } = await import('../../src/editor/patchDocuments/patchUri.ts');

	function openWindow(): Window {
		const lists = new ListStore({ journal: journalInMemory(), api: connected.lists, me, followed: keptNames() });
		const repositories = openStore();
		const wholeFiles = wholeFilesOver(repositories, { me });
		const stores = mailStores({ lists, forge: connected });
		const key = 'alice.sample';
		const connection = standFor<Connection>({ key, instance, me, lists, repositories, wholeFiles, ...stores });
		const opened = diffs(listsParts(fakeConnections(connection)));
		return {
			async open() {
				resetStub();
				await opened.commands['forge.patchsets.openDiff']?.(
					{ kind: 'patchFile', connectionKey: key, list, ...place },
					signal,
					[],
				);
				const [before, after] = [stubbed.passed.at(-1), stubbed.passedMore.at(-1)?.[0]];
				await Promise.all([before, after].map(async (side) => isUri(side) && opened.files.readFile(side)));
				return placeOfDocument(after)?.view.kind;
			},
			[Symbol.dispose]() {
				opened.dispose();
				wholeFiles[Symbol.dispose]();
				[repositories, lists].forEach((each) => each.dispose());
			},
		};
	}

	using first = openWindow();
	await forge.forgetRequests();
	const kind = await first.open();
	if (kind !== 'wholeAfter') {
		throw new Error(`The diff is not of the whole file: ${kind}`);
	}
	const requests = await forge.requests();
	await forge.forgetRequests();
	await first.open();
	const warm = await forge.requestCount();
	const pools = new Map(
		(['lists', 'git'] as const).map((area) => [area, new Pool(forge.areas[area], { connections: 1 })] as const),
	);
	pools.forEach((pool) => owned.defer(() => pool.close()));
	const cold = await compare(
		{
			name: 'first diff',
			run: async () => {
				using window = openWindow();
				await window.open();
			},
		},
		{
			name: 'bare requests',
			run: async () => {
				for (const { area, path: asked } of requests) {
					const answer = await pools
						.get(area === 'lists' ? 'lists' : 'git')
						?.request({ method: 'GET', path: asked, headers });
					await answer?.body.arrayBuffer();
				}
			},
		},
		roundsOf[size],
	);
	const name = `First diff of a patchset in a window that knows nothing, to the same ${requests.length} requests at ${latencyMs} ms latency`;
	const ratio = ratioFigure(name, 1.2, cold);
	return [
		{ ...ratio, detail: [ratio.detail, requests.map(({ path: asked }) => asked.split('?')[0]).join(', ')].join('; ') },
		countFigure('Requests for the same diff once more', 0, warm, 'in the same window'),
	];
}

function isUri(value: unknown): value is Uri {
	return value instanceof StubbedUri;
}

async function placeOf(
	connected: Forge,
): Promise<{ readonly patchsetId: number; readonly mailId: number; readonly fileIndex: number }> {
	const all = await readPatchsets(connected);
	for (const { ref, mailIds, wanted } of all.filter((each) => each.subject === subject)) {
		for (const [patch, { diff }] of wanted.patches.entries()) {
			const fileIndex = diff.files.findIndex(({ newPath, oldPath }) => newPath === path && oldPath === path);
			const mailId = mailIds[patch];
			if (fileIndex !== -1 && mailId !== undefined) {
				return { patchsetId: ref.id, mailId, fileIndex };
			}
		}
	}
	throw new Error('The sample world has no such patchset');
}
