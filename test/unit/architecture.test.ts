import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readSources, type Source } from '../house/sources.ts';

interface Import {
	readonly file: string;
	readonly from: string;
	readonly to: string;
}

const root = join(import.meta.dirname, '../..');
const sources = readSources(root);
const arrows = readArrows();

/** The block in ARCHITECTURE.md is the rule itself, so the document cannot drift from the code. */
function readArrows(): ReadonlyMap<string, readonly string[]> {
	const document = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
	const block = /```arrows\n([^`]+)```/.exec(document)?.[1] ?? '';
	return new Map(
		[...block.matchAll(/^(\S+)\s*->(.*)$/gm)].map(([, from = '', to = '']) => [from, to.match(/\S+/g) ?? []]),
	);
}

/** `src/rest/wire/ticket.ts` → `rest`, `src/net.ts` → `net`, `src/features/lists/tree.ts` → `features/lists`. */
function roomOf(file: string): string {
	const [top = '', area = ''] = file.replace(/^src\/|\.ts$/g, '').split('/');
	return top === 'features' ? `features/${area}` : top;
}

/** `undici/lib/dispatcher/agent.js` → `undici`, `@vscode/codicons/src/x.svg` → `@vscode/codicons`. */
function packageOf(specifier: string): string {
	if (specifier.startsWith('node:')) {
		return 'node';
	}
	const [scope = '', name = ''] = specifier.split('/');
	return scope.startsWith('@') ? `${scope}/${name}` : scope;
}

function importsOf({ path, imports }: Source): readonly Import[] {
	const from = roomOf(path);
	return imports.map(({ specifier }) => ({
		file: path,
		from,
		to: specifier.startsWith('.') ? roomOf(posix.join(posix.dirname(path), specifier)) : packageOf(specifier),
	}));
}

function isAllowed({ from, to }: Import): boolean {
	if (from === to) {
		return true;
	}
	const [fromRoom = ''] = from.split('/');
	const [toRoom = ''] = to.startsWith('@') ? [to] : to.split('/');
	return fromRoom !== toRoom && (arrows.get(fromRoom)?.includes(toRoom) ?? false);
}

suite('architecture', () => {
	test('every import follows an arrow', () => {
		assert.deepEqual(
			sources.flatMap(importsOf).filter((found) => !isAllowed(found)),
			[],
		);
	});

	test('no arrow leads back', () => {
		const rooms = [...arrows.keys()];
		for (const [room, targets] of arrows) {
			const later = rooms.slice(rooms.indexOf(room));
			assert.deepEqual(
				targets.filter((target) => later.includes(target)),
				[],
				`${room} may only point upwards in the table`,
			);
		}
	});

	test('the table names the rooms that there are, no more and no fewer', () => {
		const built = new Set(sources.map(({ path }) => roomOf(path).split('/')[0] ?? ''));
		assert.deepEqual([...built].sort(), [...arrows.keys()].sort());
	});

	test('only the rooms that face the editor import it', () => {
		const facing = [...arrows].filter(([, targets]) => targets.includes('vscode')).map(([room]) => room);
		assert.deepEqual(facing, ['editor', 'features', 'app', 'shell', 'extension']);
	});
});
