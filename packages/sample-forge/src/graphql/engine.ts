import {
	parse,
	print,
	visit,
	buildSchema,
	defaultFieldResolver,
	executeRootSelectionSet,
	GraphQLError,
	isObjectType,
	Kind,
	OperationTypeNode,
	specifiedRules,
	validate,
	validateExecutionArgs,
	type ConstDirectiveNode,
	type DocumentNode,
	type FragmentDefinitionNode,
	type GraphQLFieldResolver,
	type GraphQLSchema,
	type OperationDefinitionNode,
	type SelectionSetNode,
} from 'graphql';
import { knownScopes } from '../identity/scopes.ts';
import { readData } from '../sampleData.ts';
import { type Scope, type ServiceName, type GraphqlAge, graphqlDialect } from '../shared/area.ts';
import { check, holdsNul } from '../shared/checks.ts';

/**
 * The schema of a service, from `sampleData/schemas`. There, `@only2023` and `@only2026` mark what services of that year
 * alone have, and `@access` names the grant of a field (docs/protocol.md#grants-of-fields).
 */
export function schemaText(area: ServiceName, age: GraphqlAge): string {
	const hasWebhooks = area === 'todo' || area === 'lists' || area === 'git';
	const names = ['common', area, ...(hasWebhooks ? ['webhooks'] : [])];
	const texts = names.map((name) => readData(`schemas/${name}.graphql`));
	const other = age === '2026' ? 'only2023' : 'only2026';
	const ofAge = visit(parse(`enum AccessScope { ${scopesOfService(area).join(' ')} }\n${texts.join('\n')}`), {
		enter: (node) =>
			'directives' in node && node.directives?.some(({ name }) => name.value === other) === true ? null : undefined,
		Directive: ({ name }) => (name.value.startsWith('only') ? null : undefined),
	});
	return print(ofAge);
}

/** Scopes of a service in the spelling of tokens: alias, slash, word. Equal in 2023 and 2026. */
function namesOf(area: ServiceName): readonly string[] {
	return knownScopes(graphqlDialect('2026')).flatMap((known) => (known.area === area ? [known.name] : []));
}

/** A service's own scopes, without its alias. */
export function scopesOfService(area: ServiceName): readonly string[] {
	return namesOf(area).map((name) => name.slice(name.indexOf('/') + 1));
}

/** The scope for a field of a GraphQL service. */
export function scopeOfService(area: ServiceName, word: string, kind: 'RO' | 'RW'): Scope {
	const name = namesOf(area).find((each) => each.endsWith(`/${word}`));
	check(name !== undefined, () => new Error(`The service ${area} has no scope ${word}`));
	return `${name}:${kind === 'RW' ? 'write' : 'read'}`;
}

export type GraphqlSchema = ReturnType<typeof openSchema>;

export interface Question {
	readonly document: string;
	readonly variables: Readonly<Record<string, unknown>>;
	readonly operationName: string | undefined;
	/** Root value for `Query`; its members are values, or functions of the arguments. */
	readonly query: object;
	/** Root value for one field of `Mutation`; `afterFailure`: an earlier field failed. */
	readonly mutation: (afterFailure: boolean) => object;
	/** Throws a `FieldError` if the caller may not read the field. */
	readonly guard: (needs: FieldNeeds) => void;
	/** Maximum cost of the document: one point for each field, lists count once. */
	readonly mostPoints: number;
}

/** Grants in the directives of a field. */
export interface FieldNeeds {
	readonly access: { readonly scope: string; readonly kind: 'RO' | 'RW' } | null;
	/** Only for personal tokens. */
	readonly personal: boolean;
}

export type Outcome =
	/** The document, a variable or the operation is invalid; nothing ran. */
	| { readonly kind: 'refused'; readonly errors: readonly AnswerError[] }
	| { readonly kind: 'answered'; readonly data: object | null; readonly errors: readonly AnswerError[] }
	/** A number in the document crashes observed services. */
	| { readonly kind: 'ends' };

/** An entry of `errors`, exactly as sent. */
export interface AnswerError {
	readonly message: string;
	readonly path?: readonly (string | number)[];
	readonly locations?: readonly { readonly line: number; readonly column: number }[];
	readonly extensions?: Extensions;
}

export type Extensions = Readonly<Record<string, string | readonly string[]>>;

/** Thrown by a resolver: the field is null, and `errors` has the reason. */
export class FieldError extends Error {
	readonly extensions: Extensions;
	/** Some observed errors have no path (docs/protocol.md#graphql-errors). */
	readonly tellsPath: boolean;

	constructor(message: string, extensions: Extensions = {}, tellsPath = true) {
		super(message);
		this.extensions = extensions;
		this.tellsPath = tellsPath;
	}
}

/** Why a field such as `Tracker.acl` fails; `undefined` if it does not. */
export type FailureOf = (field: string) => string | undefined;

/** Building a schema is slow, and tests open thousands of worlds with the same five. */
const built = new Map<string, GraphQLSchema>();

function builtSchema(area: ServiceName, age: GraphqlAge): GraphQLSchema {
	const key = `${area} ${age}`;
	const schema = built.get(key) ?? buildSchema(schemaText(area, age));
	built.set(key, schema);
	return schema;
}

/** The reference implementation of GraphQL, with the answers of observed services. */
export function openSchema(area: ServiceName, age: GraphqlAge, failureOf: FailureOf) {
	const schema = builtSchema(area, age);
	const needs = needsOf(schema);
	return {
		/** Errors of a document; none for a valid one. */
		check(document: string): readonly AnswerError[] {
			const parsed = parseDocument(document);
			return 'definitions' in parsed ? wrongIn(schema, parsed) : parsed.errors;
		},
		run: async (question: Question): Promise<Outcome> =>
			await run(schema, guarded(needs, failureOf, question.guard), question),
	};
}

type Resolver = GraphQLFieldResolver<unknown, unknown>;

const nullInside = 'the requested element is null which the schema does not allow';
const largestNumber = 2 ** 31 - 1;

async function run(schema: GraphQLSchema, fieldResolver: Resolver, question: Question): Promise<Outcome> {
	const document = parseDocument(question.document);
	if (!('definitions' in document)) {
		return document;
	}
	if (holdsLargeNumber(document, question.variables)) {
		return { kind: 'ends' };
	}
	const wrong = wrongIn(schema, document);
	if (wrong.length > 0) {
		return refused('GRAPHQL_VALIDATION_FAILED', wrong);
	}
	const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
	const { operationName } = question;
	const named = operations.filter(({ name }) => operationName === undefined || name?.value === operationName);
	const [operation, another] = named;
	if (operation === undefined || another !== undefined) {
		const message = `operation ${operationName ?? ''} not found`;
		return refused('GRAPHQL_VALIDATION_FAILED', [{ message }]);
	}
	const points = pointsOf(document, operation.selectionSet);
	if (points > question.mostPoints) {
		const message = `operation has complexity ${points}, which exceeds the limit of ${question.mostPoints}`;
		return { kind: 'answered', data: null, errors: [{ message, extensions: { code: 'COMPLEXITY_LIMIT_EXCEEDED' } }] };
	}
	if (operation.operation === OperationTypeNode.MUTATION && holdsNul(question.variables)) {
		const message = 'pq: invalid byte sequence for encoding "UTF8": 0x00';
		return { kind: 'answered', data: null, errors: [{ message }] };
	}
	return await execute(schema, fieldResolver, question, document, operation);
}

type Refused = Extract<Outcome, { readonly kind: 'refused' }>;

function refused(code: string, errors: readonly AnswerError[]): Refused {
	return { kind: 'refused', errors: errors.map((error) => ({ ...error, extensions: { code } })) };
}

function wrongIn(schema: GraphQLSchema, document: DocumentNode): readonly AnswerError[] {
	return validate(schema, document, specifiedRules, { hideSuggestions: true }).map(withLocations);
}

function withLocations({ message, locations }: GraphQLError): AnswerError {
	return { message, ...(locations === undefined ? {} : { locations }) };
}

function parseDocument(text: string): DocumentNode | Refused {
	try {
		return parse(text);
	} catch (error) {
		if (error instanceof GraphQLError) {
			return text.trim() === ''
				? refused('GRAPHQL_VALIDATION_FAILED', [{ message: 'no operation provided' }])
				: refused('GRAPHQL_PARSE_FAILED', [withLocations(error)]);
		}
		throw error;
	}
}

function holdsLargeNumber(document: DocumentNode, variables: Question['variables']): boolean {
	let found = holdsLarge(variables);
	visit(document, {
		IntValue({ value }) {
			found ||= Math.abs(Number(value)) > largestNumber;
		},
	});
	return found;
}

function holdsLarge(value: unknown): boolean {
	if (typeof value === 'number') {
		return Number.isInteger(value) && Math.abs(value) > largestNumber;
	}
	return typeof value === 'object' && value !== null && Object.values(value).some(holdsLarge);
}

/** One point for each field, with fragments expanded. Introspection is free. */
function pointsOf(document: DocumentNode, { selections }: SelectionSetNode): number {
	let points = 0;
	for (const selection of selections) {
		if (selection.kind === Kind.FIELD) {
			const free = selection.name.value === '__schema' || selection.name.value === '__type';
			const inside = selection.selectionSet === undefined ? 0 : pointsOf(document, selection.selectionSet);
			points += free ? 0 : 1 + inside;
		} else if (selection.kind === Kind.INLINE_FRAGMENT) {
			points += pointsOf(document, selection.selectionSet);
		} else {
			const fragment = fragmentsOf(document).find(({ name }) => name.value === selection.name.value);
			points += fragment === undefined ? 0 : pointsOf(document, fragment.selectionSet);
		}
	}
	return points;
}

function fragmentsOf({ definitions }: DocumentNode): readonly FragmentDefinitionNode[] {
	return definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
}

/**
 * The reference implementation stops after a failed mutation, but services continue
 * (docs/protocol.md#several-mutations). So each field of `Mutation` runs as an operation of its own.
 */
async function execute(
	schema: GraphQLSchema,
	fieldResolver: Resolver,
	question: Question,
	document: DocumentNode,
	operation: OperationDefinitionNode,
): Promise<Outcome> {
	const isMutation = operation.operation === OperationTypeNode.MUTATION;
	const { selections } = operation.selectionSet;
	const errors: AnswerError[] = [];
	let data: object | null = {};
	for (const part of isMutation ? selections.map((each) => [each]) : [selections]) {
		const running = { ...operation, selectionSet: { ...operation.selectionSet, selections: part } };
		const validated = validateExecutionArgs({
			schema,
			document: { ...document, definitions: [running, ...fragmentsOf(document)] },
			rootValue: isMutation ? question.mutation(errors.length > 0) : question.query,
			variableValues: question.variables,
			fieldResolver,
			hideSuggestions: true,
		});
		if (!('schema' in validated)) {
			return refused('GRAPHQL_VALIDATION_FAILED', validated.map(withLocations));
		}
		const result = await executeRootSelectionSet(validated);
		for (const error of result.errors ?? []) {
			errors.push(showError(error));
		}
		data = data === null || result.data === null || result.data === undefined ? null : { ...data, ...result.data };
	}
	return { kind: 'answered', data, errors };
}

function guarded(needs: Needs, failureOf: FailureOf, guard: Question['guard']): Resolver {
	return (source, args: unknown, context, info) => {
		const field = `${info.parentType.name}.${info.fieldName}`;
		const failure = failureOf(field);
		if (failure !== undefined) {
			throw new FieldError(failure);
		}
		const needed = needs.get(field);
		if (needed !== undefined) {
			guard(needed);
		}
		return defaultFieldResolver(source, args, context, info);
	};
}

/** Throws for any error but a `FieldError`: that is a bug in the sample forge. */
function showError({ message, path, cause }: GraphQLError): AnswerError {
	const where = path === undefined ? {} : { path };
	if (cause instanceof FieldError) {
		const { extensions, tellsPath } = cause;
		return { message, ...(tellsPath ? where : {}), ...(Object.keys(extensions).length === 0 ? {} : { extensions }) };
	}
	if (message.startsWith('Cannot return null for non-nullable field')) {
		return { message: nullInside, ...where };
	}
	throw new Error(message, { cause });
}

type Needs = ReadonlyMap<string, FieldNeeds>;

function needsOf(schema: GraphQLSchema): Needs {
	const needs = new Map<string, FieldNeeds>();
	for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
		for (const { name, astNode } of Object.values(type.getFields())) {
			const directives = astNode?.directives ?? [];
			const access = directives.find((directive) => directive.name.value === 'access');
			const personal = directives.some((directive) => directive.name.value === 'private');
			if (access !== undefined || personal) {
				needs.set(`${type.name}.${name}`, { access: access === undefined ? null : readAccess(access), personal });
			}
		}
	}
	return needs;
}

function readAccess({ arguments: given = [] }: ConstDirectiveNode): FieldNeeds['access'] {
	const word = (name: string): string => {
		const value = given.find((each) => each.name.value === name)?.value;
		return value?.kind === Kind.ENUM ? value.value : '';
	};
	return { scope: word('scope'), kind: word('kind') === 'RW' ? 'RW' : 'RO' };
}
