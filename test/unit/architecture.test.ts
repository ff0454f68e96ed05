import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

interface Import {
	readonly file: string;
	readonly from: string;
	readonly to: string;
}

const root = join(import.meta.dirname, '../..');
const source = join(root, 'src');
const arrows = readArrows();

/** The block in ARCHITECTURE.md is the rule itself, so the document cannot drift from the code. */
function readArrows(): ReadonlyMap<string, readonly string[]> {
	const document = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
	const block = /```arrows\n([^`]+)```/.exec(document)?.[1] ?? '';
	return new Map(
		[...block.matchAll(/^(\S+)\s*->(.*)$/gm)].map(([, from = '', to = '']) => [from, to.match(/\S+/g) ?? []]),
	);
}

function sourceFiles(): readonly string[] {
	return readdirSync(source, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
		.map((entry) => join(entry.parentPath, entry.name));
}

/** `src/rest/wire/ticket.ts` → `rest`, `src/net.ts` → `net`, `src/features/lists/tree.ts` → `features/lists`. */
function roomOf(file: string): string {
	const [top = '', area = ''] = relative(source, file).replace(/\.ts$/, '').split(sep);
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

/** Static imports and exports, types too, and dynamic imports. */
function specifiersIn(text: string): readonly string[] {
	const found = text.matchAll(
		/^(?:import|export)\b[^'";(]*\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\(\s*'([^']+)'/gm,
	);
	return [...found].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '');
}

function importsOf(file: string): readonly Import[] {
	const from = roomOf(file);
	return specifiersIn(readFileSync(file, 'utf8')).map((specifier) => ({
		file: relative(root, file),
		from,
		to: specifier.startsWith('.') ? roomOf(join(dirname(file), specifier)) : packageOf(specifier),
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
			sourceFiles()
				.flatMap((file) => importsOf(file))
				.filter((found) => !isAllowed(found)),
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
		const built = new Set(sourceFiles().map((file) => roomOf(file).split('/')[0] ?? ''));
		assert.deepEqual([...built].sort(), [...arrows.keys()].sort());
	});

	test('only the rooms that face the editor import it', () => {
		const facing = [...arrows].filter(([, targets]) => targets.includes('vscode')).map(([room]) => room);
		assert.deepEqual(facing, ['editor', 'features', 'app', 'shell', 'extension']);
	});
});
