/** The text of one operation, written so that single fields can be cut out of it (`withoutFields`). */
export interface Document {
	/** As servers may log it, and as what was learnt of it is kept. */
	readonly name: string;
	readonly isMutation: boolean;
	/** As it is sent: without comments, on one line. */
	readonly text: string;
	/** How many fields it has, which servers count. */
	readonly points: number;
	/** Its fields that open a repository on the server: at most one (docs/protocol.md#one-opening-field). */
	readonly opens: readonly string[];
	/** The same without the fields of these types that a server lacks. */
	withoutFields(isLacking: (field: TypeField) => boolean): string;
	/**
	 * What of it stands in a document beside others, without the fields that a server lacks: the names of its variables
	 * and of what it asks for at the root begin with `prefix`. `undefined` where nothing of it is left.
	 */
	beside(prefix: string, isLacking: (field: TypeField) => boolean): DocumentPart | undefined;
	/** Where there are things in it that its answer is of use without. */
	readonly droppable: Droppable | undefined;
	/** Where it asks for the same field under many names beside each other: two documents, each with a half of them. */
	readonly halves: readonly [Document, Document] | undefined;
}

/**
 * What of a document may be left out. One thing of it that the asker may not see takes everything around it along
 * (docs/protocol.md#hidden-things), so the rest is asked for again without.
 */
export interface Droppable {
	/** What has to be granted for these things, as `ACLS:RO`; none where they are asked for with what the rest needs. */
	readonly grants: readonly string[];
	/** Whether a place of an answer, by the names of fields alone, is one of these things or inside of one. */
	holds(path: readonly string[]): boolean;
	/** The document without all of them. */
	readonly without: Document;
}

/** A part of a document for several questions. */
export interface DocumentPart {
	/** As `$q0_owner:String!`, each after the other. */
	readonly declarations: string;
	/** What stands between the outermost braces. */
	readonly selection: string;
}

/** Fields of `Repository` that read the repository itself, and not the database alone. */
export const openingFields: ReadonlySet<string> = new Set([
	'HEAD',
	'log',
	'object',
	'objects',
	'path',
	'reference',
	'references',
	'revparse_single',
]);

/** A field as error messages name it. */
export interface TypeField {
	readonly type: string;
	readonly field: string;
}

/** A field that the answer is of use without. */
export interface DroppableField extends TypeField {
	/** A grant of its own, as `ACLS:RO`; left out, it may stand for something that the asker may not see. */
	readonly grant?: string;
}

/**
 * A document out of its source. Where a selection opens, a comment names its type (`# Tracker` behind the brace),
 * because answers of servers that lack a field name its type and nothing else (docs/protocol.md#graphql-at-the-door).
 * A test compares these comments with the schemas. `droppable`: what its answer is of use without.
 */
export function graphql(source: string, droppable: readonly DroppableField[] = []): Document {
	const tokens = tokensOf(source);
	return documentOf(tokens, droppable.length === 0 ? undefined : droppableOf(tokens, droppable));
}

function documentOf(tokens: readonly string[], droppable?: Droppable): Document {
	const [kind, name = ''] = tokens;
	const text = joined(tokens);
	let opens: readonly string[] | undefined;
	return {
		droppable,
		get halves() {
			return halvesOf(tokens);
		},
		name,
		isMutation: kind === 'mutation',
		text,
		points: tokens.filter((_, at) => isCounted(tokens, at)).length,
		get opens() {
			opens ??= Array.from(fieldsIn(tokens)).flatMap(({ type, field }) =>
				type === 'Repository' && openingFields.has(field) ? [field] : [],
			);
			return opens;
		},
		withoutFields(isLacking) {
			const kept = joined(withoutUnusedVariables(cutFields(tokens, isLacking)));
			return isEmpty(kept) ? text : kept;
		},
		beside(prefix, isLacking) {
			const kept = withoutUnusedVariables(cutFields(tokens, isLacking));
			return isEmpty(joined(kept)) ? undefined : partOf(kept, prefix);
		},
	};
}

/** The document without them is worked out on first use: hardly anybody meets such a thing. */
function droppableOf(tokens: readonly string[], fields: readonly DroppableField[]): Droppable {
	const isOne = ({ type, field }: TypeField): boolean =>
		fields.some((each) => each.type === type && each.field === field);
	let without: Document | undefined;
	return {
		grants: fields.flatMap(({ grant }) => grant ?? []),
		holds: (path) =>
			Array.from(fieldsIn(tokens)).some((each) => isOne(each) && each.path.every((name, at) => path[at] === name)),
		get without() {
			without ??= documentOf(withoutUnusedVariables(cutFields(tokens, isOne)));
			return without;
		},
	};
}

function halvesOf(tokens: readonly string[]): Document['halves'] {
	const renamed = Array.from(fieldsIn(tokens)).filter(({ from }) => tokens[from + 1] === ':');
	const alike = renamed.filter(({ type, field }) => type === renamed[0]?.type && field === renamed[0].field);
	if (alike.length < 2) {
		return undefined;
	}
	const middle = Math.ceil(alike.length / 2);
	const without = (left: readonly FieldAt[]): Document => {
		const starts = new Set(left.map(({ from }) => from));
		return documentOf(withoutUnusedVariables(cut(tokens, ({ from }) => starts.has(from))));
	};
	return [without(alike.slice(middle)), without(alike.slice(0, middle))];
}

/** Nothing of a document is left that could be asked. */
function isEmpty(text: string): boolean {
	return text === '' || text.endsWith('{}');
}

/** A field, and not the name that it is to have in the answer, nor anything between the brackets behind it. */
function isCounted(tokens: readonly string[], at: number): boolean {
	const open = tokens.lastIndexOf('(', at);
	const isInBrackets = open !== -1 && behindBrackets(tokens, open) > at;
	return at > 1 && !isInBrackets && isFieldName(tokens, at) && tokens[at + 1] !== ':';
}

function partOf(tokens: readonly string[], prefix: string): DocumentPart {
	const own = tokens.map((token) => (token.startsWith('$') ? `$${prefix}${token.slice(1)}` : token));
	const body = own[2] === '(' ? behindBrackets(own, 2) : 2;
	const selection: string[] = [];
	let depth = 0;
	for (let at = body; at < own.length; at += 1) {
		const token = own[at] ?? '';
		depth += token.startsWith('{') ? 1 : token === '}' ? -1 : 0;
		if (token === '(') {
			const end = behindBrackets(own, at);
			selection.push(...own.slice(at, end));
			at = end - 1;
		} else if (depth === 1 && isFieldName(own, at) && own[at - 1] !== ':') {
			selection.push(`${prefix}${token}`, ...(own[at + 1] === ':' ? [] : [':', token]));
		} else {
			selection.push(token);
		}
	}
	return { declarations: joined(own.slice(3, Math.max(3, body - 1))), selection: joined(selection.slice(1, -1)) };
}

/** `# Tracker` behind the brace that opens a selection; any other comment is gone. */
function tokensOf(source: string): readonly string[] {
	return Array.from(
		source.matchAll(/\{\s*#[ \t]*[A-Z]\w*|#[^\n]*|"(?:[^"\\\n]|\\.)*"|\.\.\.|[\w$]+|[^\s,\w]/g),
		([token]) => token,
	).filter((token) => !token.startsWith('#'));
}

function joined(tokens: readonly string[]): string {
	return tokens
		.map((token) => (token.startsWith('{') ? '{' : token))
		.join(' ')
		.replaceAll(/ ?([{}():!\][=]) ?/g, '$1')
		.replaceAll(/\.\.\. ?/g, '...');
}

function cutFields(tokens: readonly string[], isLacking: (field: TypeField) => boolean): readonly string[] {
	return cut(tokens, ({ type, field }) => isLacking({ type, field }));
}

/** Leaves out fields with all that belongs to them. */
function cut(tokens: readonly string[], isLeftOut: (field: FieldAt) => boolean): readonly string[] {
	const kept: string[] = [];
	let next = 0;
	for (const field of fieldsIn(tokens)) {
		if (field.from >= next && isLeftOut(field)) {
			kept.push(...tokens.slice(next, field.from));
			next = field.end;
		}
	}
	return withoutEmptyFragments([...kept, ...tokens.slice(next)]);
}

function withoutEmptyFragments(tokens: readonly string[]): readonly string[] {
	const isEmptyAt = (at: number): boolean =>
		tokens[at] === '...' &&
		tokens[at + 1] === 'on' &&
		tokens[at + 4] === '}' &&
		tokens[at + 3]?.startsWith('{') === true;
	return tokens.filter((_, at) => ![0, 1, 2, 3, 4].some((back) => isEmptyAt(at - back)));
}

interface FieldAt extends TypeField {
	/** Where it stands in an answer, by the names that it and those around it have there. */
	readonly path: readonly string[];
	readonly from: number;
	/** Behind its arguments and its selection. */
	readonly end: number;
}

interface Selection {
	readonly type: string;
	readonly path: readonly string[];
}

/** Walks through selections, whose types it knows. */
function* fieldsIn(tokens: readonly string[]): Generator<FieldAt, void, undefined> {
	const around: Selection[] = [];
	let path: readonly string[] = [];
	for (let at = 0; at < tokens.length; at += 1) {
		const token = tokens[at] ?? '';
		const inside = around.at(-1);
		if (token.startsWith('{')) {
			around.push(
				isFragment(tokens, at) && inside ? { ...inside, type: typeAt(tokens, at) } : { type: typeAt(tokens, at), path },
			);
		} else if (token === '}') {
			around.pop();
		} else if (token === '(') {
			at = behindBrackets(tokens, at) - 1;
		} else if (inside && isFieldName(tokens, at)) {
			const named = tokens[at + 1] === ':' ? at + 2 : at;
			path = [...inside.path, token];
			yield { type: inside.type, field: tokens[named] ?? '', path, from: at, end: behindField(tokens, named) };
			at = named;
		}
	}
}

/** What stands in a fragment stands beside the fields around it. */
function isFragment(tokens: readonly string[], brace: number): boolean {
	return tokens[brace - 2] === 'on';
}

/** The type that a comment names, or the one that a fragment is on. */
function typeAt(tokens: readonly string[], brace: number): string {
	const named = /\w+$/.exec(tokens[brace] ?? '')?.[0];
	return named ?? (isFragment(tokens, brace) ? (tokens[brace - 1] ?? '') : '');
}

/** Neither a spread nor what belongs to it. */
function isFieldName(tokens: readonly string[], at: number): boolean {
	const isWord = /^[A-Za-z_]\w*$/.test(tokens[at] ?? '');
	const isSpread = tokens[at - 1] === '...' || tokens[at - 2] === '...';
	return isWord && !isSpread;
}

/** Where what follows a field begins, after its arguments and its selection. */
function behindField(tokens: readonly string[], named: number): number {
	const behindArguments = tokens[named + 1] === '(' ? behindBrackets(tokens, named + 1) : named + 1;
	return tokens[behindArguments]?.startsWith('{') === true ? behindBrackets(tokens, behindArguments) : behindArguments;
}

function behindBrackets(tokens: readonly string[], from: number): number {
	let depth = 0;
	for (let at = from; at < tokens.length; at += 1) {
		const token = tokens[at] ?? '';
		if (token.startsWith('{') || token === '(') {
			depth += 1;
		} else if (token === '}' || token === ')') {
			depth -= 1;
			if (depth === 0) {
				return at + 1;
			}
		}
	}
	return tokens.length;
}

/** Servers refuse an operation that declares what it does not use. */
function withoutUnusedVariables(tokens: readonly string[]): readonly string[] {
	const [, , open] = tokens;
	if (open !== '(') {
		return tokens;
	}
	const end = behindBrackets(tokens, 2);
	const body = new Set(tokens.slice(end));
	const declared = tokens
		.slice(3, end - 1)
		.reduce<readonly (readonly string[])[]>(
			(all, token) =>
				token.startsWith('$') ? [...all, [token]] : [...all.slice(0, -1), [...(all.at(-1) ?? []), token]],
			[],
		);
	const used = declared.filter(([variable = '']) => body.has(variable));
	const head = used.length === 0 ? [] : ['(', ...used.flat(), ')'];
	return [...tokens.slice(0, 2), ...head, ...tokens.slice(end)];
}
