import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { importedSource, packageFolders, packageNameIn } from '../harness/packageFolders.ts';
import { pureRooms } from '../harness/stageList.ts';
import { importsIn, readSources, type Source } from '../house/sources.ts';

interface Import {
	readonly file: string;
	readonly from: string;
	readonly to: string;
}

/** Allowed imports of each folder, or of a file beside folders. */
type Arrows = ReadonlyMap<string, readonly string[]>;

const root = join(import.meta.dirname, '../..');
/** The published face of a package imports any of its rooms, and no room imports it. */
const face = /^packages\/[^/]+\/src\/index\.ts$/;
const sources = readSources(root).filter(({ path }) => !face.test(path));
const blocks = readBlocks();
const arrows: Arrows = blocks.get('rooms') ?? new Map<string, never>();
/** Imports between areas of `features`. */
const areaArrows: Arrows = blocks.get('features') ?? new Map<string, never>();
/** Rooms and areas with internal arrows, such as `store` or `features/lists`. */
const orderedRooms = [...blocks].filter(([room]) => room !== 'rooms' && room !== 'features');

/** The documents contain the rules themselves, so they cannot drift from the code. */
function readBlocks(): ReadonlyMap<string, Arrows> {
	const documents = ['ARCHITECTURE.md', 'docs/rooms.md']
		.map((page) => readFileSync(join(root, page), 'utf8'))
		.join('\n');
	return new Map(
		[...documents.matchAll(/```arrows in (\S+)\n([^`]+)```/g)].map(([, room = '', block = '']) => [
			room,
			new Map(
				[...block.matchAll(/^(\S+)\s*->(.*)$/gm)].map(([, from = '', to = '']) => [from, to.match(/\S+/g) ?? []]),
			),
		]),
	);
}

/** `store/connection` for `src/store/connection.ts`, `sourcehut/net` for `packages/sourcehut/src/net.ts`. */
function nameOf(path: string): string {
	const [name, folder] = [...packageFolders].find((each) => path.startsWith(`${each[1]}/src/`)) ?? ['', ''];
	return posix.join(name, posix.relative(`${folder}/src`.replace(/^\//, ''), path)).replace(/\.ts$/, '');
}

/** The longest row that holds the file: `sourcehut/rest` for `packages/sourcehut/src/rest/wire/tracker.ts`. */
function roomOf(file: string): string {
	const name = nameOf(file);
	const rows = [...arrows.keys()].filter((row) => name === row || name.startsWith(`${row}/`));
	const longest = rows.toSorted((one, other) => other.length - one.length)[0];
	return /^features\/[^/]+/.exec(name)?.[0] ?? longest ?? name;
}

/** Feature areas share a row; `arrows in features` orders the areas. */
const rowOf = (room: string): string => (room.startsWith('features/') ? 'features' : room);
const areaOf = (room: string): string => posix.relative('features', room);

/** `undici/lib/dispatcher/agent.js` → `undici`. `npm:` distinguishes a package of the registry from a room. */
function packageOf(specifier: string): string {
	const name = specifier.startsWith('node:') ? 'node' : packageNameIn(specifier);
	return arrows.has(name) ? `npm:${name}` : name;
}

function importsOf({ path, imports }: Source): readonly Import[] {
	const from = roomOf(path);
	return imports.map(({ specifier }) => {
		const source = importedSource(path, specifier);
		return { file: path, from, to: source === undefined ? packageOf(specifier) : roomOf(source) };
	});
}

/**
 * In a room with internal arrows: `tickets/index` for `src/store/tickets/index/keptSent.ts`, `connection` for a file.
 */
function folderOf(file: string, room: string): string {
	const inside = posix.relative(room, nameOf(file));
	return inside.includes('/') ? posix.dirname(inside) : inside;
}

/** A choice of literal lists: `...(known ? [known] : [])`. */
const fewItems = /^\.\.\.\([^]*\? \[(?:(?!\.\.\.)[^])*\] : \[(?:(?!\.\.\.)[^])*\],?\s*\)$/;

/** The arguments of the call whose first argument begins at `from`. */
function argumentsAfter(text: string, from: number): readonly string[] {
	const found = [''];
	let depth = 1;
	for (const [piece] of text.slice(from).matchAll(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|[^]/g)) {
		depth += /^[([{]$/.test(piece) ? 1 : /^[)\]}]$/.test(piece) ? -1 : 0;
		if (depth === 0) {
			break;
		}
		if (piece === ',' && depth === 1) {
			found.push('');
		} else {
			found.push(`${found.pop()}${piece}`);
		}
	}
	return found.map((each) => each.trim());
}

function filesIn(room: string): readonly Source[] {
	const inner = [...arrows.keys()].filter((row) => row.startsWith(`${room}/`));
	return sources.filter(
		({ path }) => nameOf(path).startsWith(`${room}/`) && !inner.some((row) => nameOf(path).startsWith(`${row}/`)),
	);
}

/** Imports of a room's files from its other folders. Data files import nothing, so they need no arrow. */
function importsInside(room: string): readonly Import[] {
	return filesIn(room).flatMap(({ path, imports }) =>
		imports
			.filter(({ specifier }) => specifier.startsWith('.') && !specifier.endsWith('.json'))
			.map(({ specifier }) => posix.join(posix.dirname(path), specifier))
			.filter((imported) => nameOf(imported).startsWith(`${room}/`))
			.map((imported) => ({ file: path, from: folderOf(path, room), to: folderOf(imported, room) }))
			.filter(({ from, to }) => from !== to),
	);
}

/** A file beside the folders without a row combines them: it may import all, and none may import it. */
function isAllowedInside({ from, to }: Import, inside: Arrows): boolean {
	return inside.get(from)?.includes(to) ?? true;
}

function backward(inside: Arrows): readonly string[] {
	const names = [...inside.keys()];
	return [...inside].flatMap(([from, targets]) =>
		targets.filter((to) => names.slice(names.indexOf(from)).includes(to)).map((to) => `${from} -> ${to}`),
	);
}

function isAllowed({ from, to }: Import): boolean {
	if (from === to || to === '@forge-desk/base') {
		return true;
	}
	if (rowOf(from) === rowOf(to)) {
		return areaArrows.get(areaOf(from))?.includes(areaOf(to)) ?? false;
	}
	return arrows.get(rowOf(from))?.includes(rowOf(to)) ?? false;
}

suite('architecture', () => {
	test('every import follows an arrow', () => {
		assert.deepEqual(
			sources.flatMap(importsOf).filter((found) => !isAllowed(found)),
			[],
		);
	});

	test('rooms with tests in `npm run pure` import neither other rooms, nor the editor, nor the network', () => {
		const outside = (to: string): boolean =>
			arrows.has(to) ? !pureRooms.includes(to) : ['vscode', 'undici', 'p-queue'].includes(to);
		assert.deepEqual(
			pureRooms.filter((room) => arrows.get(room)?.some(outside) ?? true),
			[],
		);
	});

	test('packages and their tests import neither the editor nor the extension', () => {
		const files = globSync('packages/*/{src,test,testing}/**/*.ts', { cwd: root }).map((file) =>
			file.replaceAll('\\', '/'),
		);
		assert.ok(files.length > 500, String(files.length));
		const found = files.flatMap((file) =>
			importsIn(readFileSync(join(root, file), 'utf8'))
				.map(({ specifier }) => importedSource(file, specifier) ?? specifier)
				.filter((to) => to === 'vscode' || to.startsWith('src/'))
				.map((to) => `${file}: ${to}`),
		);
		assert.deepEqual(found, []);
	});

	test('no arrow leads back: each points upwards in its table', () => {
		assert.deepEqual(
			[...blocks].flatMap(([room, inside]) => backward(inside).map((arrow) => `${room}: ${arrow}`)),
			[],
		);
	});

	test('every import inside an ordered room follows an arrow there', () => {
		assert.deepEqual(
			orderedRooms.flatMap(([room, inside]) => importsInside(room).filter((found) => !isAllowedInside(found, inside))),
			[],
		);
	});

	test('every arrow between areas of features has an import, and every row is an area', () => {
		const followed = new Set(sources.flatMap(importsOf).map(({ from, to }) => `${areaOf(from)} -> ${areaOf(to)}`));
		assert.deepEqual(
			[...areaArrows].flatMap(([from, targets]) =>
				targets.map((to) => `${from} -> ${to}`).filter((arrow) => !followed.has(arrow)),
			),
			[],
		);
		const areas = new Set(sources.map(({ path }) => roomOf(path)).filter((room) => room.startsWith('features/')));
		assert.deepEqual([...areas].map(areaOf).toSorted(), [...areaArrows.keys()].toSorted());
	});

	test('every arrow inside an ordered room has an import', () => {
		assert.deepEqual(
			orderedRooms.flatMap(([room, inside]) => {
				const followed = new Set(importsInside(room).map(({ from, to }) => `${room}: ${from} -> ${to}`));
				return [...inside]
					.flatMap(([from, targets]) => targets.map((to) => `${room}: ${from} -> ${to}`))
					.filter((arrow) => !followed.has(arrow));
			}),
			[],
		);
	});

	test('the inner tables name exactly the existing folders, and only existing files', () => {
		for (const [room, inside] of orderedRooms) {
			const files = filesIn(room).map(({ path }) => path);
			const names = files.map((file) => folderOf(file, room));
			const folders = files.filter((file) => posix.dirname(nameOf(file)) !== room).map((file) => folderOf(file, room));
			assert.deepEqual(
				[...new Set(folders)].filter((folder) => !inside.has(folder)),
				[],
				`folders of ${room} without a row`,
			);
			assert.deepEqual(
				[...inside.keys()].filter((name) => !names.includes(name)),
				[],
				`rows of ${room} that name nothing`,
			);
		}
	});

	test('the table names exactly the existing rooms', () => {
		const built = new Set(sources.map(({ path }) => rowOf(roomOf(path))));
		assert.deepEqual([...built].sort(), [...arrows.keys()].sort());
	});

	test('features never import the port, because a connection provides stores only', () => {
		const found = sources
			.filter(({ path }) => path.startsWith('src/features/') || path === 'src/store/connection.ts')
			.filter(({ imports }) => imports.some(({ specifier }) => specifier.endsWith('/port/forge.ts')))
			.map(({ path }) => path);
		assert.deepEqual(found, []);
	});

	test('only the rooms that face the editor import it', () => {
		const facing = [...arrows].filter(([, targets]) => targets.includes('vscode')).map(([room]) => room);
		assert.deepEqual(facing, ['editor', 'editor/patchDocuments', 'features', 'app', 'app/shell', 'extension']);
	});

	test('no call spreads an array of unknown length into its arguments', () => {
		const call = /\b(?:Math\.(?:max|min)|fromCharCode|fromCodePoint)\(|\.(?:push|unshift|splice|concat)\(/g;
		const found = sources.flatMap(({ path, text }) =>
			Array.from(text.matchAll(call), ({ 0: name, index }) => argumentsAfter(text, index + name.length))
				.filter((given) => given.some((each) => each.startsWith('...') && !fewItems.test(each)))
				.map((given) => `${path}: ${given.join(', ')}`),
		);
		assert.deepEqual(found, []);
	});

	test('only four tables create commands for git, and one module runs them', () => {
		assert.deepEqual(
			sources
				.filter(({ imports }) => imports.some(({ specifier }) => specifier.endsWith('/gitCommand.ts')))
				.map(({ path }) => path)
				.toSorted(),
			[
				'packages/hardened-git/src/applyCommands.ts',
				'packages/hardened-git/src/epochCommands.ts',
				'packages/hardened-git/src/gitCommands.ts',
				'packages/hardened-git/src/hardenedGit.ts',
				'packages/hardened-git/src/historyCommands.ts',
			],
		);
	});
});
