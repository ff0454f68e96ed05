import { parseSync, type Function as FunctionNode, type Node, Visitor } from 'oxc-parser';
import type { Source } from './sources.ts';

interface SourceFunctions {
	/** All functions with a body, callbacks and methods included. */
	readonly all: number;
	/** Names of local functions with a single use in their file. */
	readonly usedOnce: readonly string[];
}

/** A function counts as local when its file does not export it and no object has it as a member. */
export function functionsIn({ path, text }: Source): SourceFunctions {
	const { program, errors } = parseSync(path, text);
	if (errors.length > 0) {
		throw new Error(`${path}: ${errors[0]?.message ?? ''}`);
	}
	/** Places of each name. A shorthand, such as `{ name }`, has two nodes at one place. */
	const places = new Map<string, Set<number>>();
	const members = new Set<string>();
	const exported = new Set<Node>();
	const locals: string[] = [];
	let all = 0;
	const countUse = (name: string, start: number): void => {
		places.set(name, (places.get(name) ?? new Set()).add(start));
	};
	const visitFunction = (node: FunctionNode): void => {
		all += 1;
		if (node.type === 'FunctionDeclaration' && node.id && !exported.has(node)) {
			locals.push(node.id.name);
		}
	};
	new Visitor({
		Identifier: ({ name, start }) => countUse(name, start),
		PrivateIdentifier: ({ name, start }) => countUse(`#${name}`, start),
		ExportNamedDeclaration({ declaration }) {
			if (declaration) {
				exported.add(declaration);
			}
		},
		VariableDeclaration(node) {
			for (const { id, init } of node.declarations) {
				if (id.type === 'Identifier' && init?.type === 'ArrowFunctionExpression' && !exported.has(node)) {
					locals.push(id.name);
				}
			}
		},
		MethodDefinition({ key, value, accessibility }) {
			if (value.body && key.type === 'PrivateIdentifier') {
				locals.push(`#${key.name}`);
			} else if (value.body && key.type === 'Identifier' && accessibility === 'private') {
				locals.push(key.name);
			}
		},
		ObjectExpression({ properties }) {
			for (const property of properties) {
				if (property.type === 'Property' && property.value.type === 'Identifier') {
					members.add(property.value.name);
				}
			}
		},
		FunctionDeclaration: visitFunction,
		FunctionExpression: visitFunction,
		ArrowFunctionExpression: () => void (all += 1),
	}).visit(program);
	return { all, usedOnce: locals.filter((name) => places.get(name)?.size === 2 && !members.has(name)) };
}
