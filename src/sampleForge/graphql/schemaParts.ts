import type { GraphqlAge } from '../shared/dialect.ts';

/** A part of a schema that services of 2023 lack. */
export function since2026(age: GraphqlAge, text: string): string {
	return age === '2026' ? text : '';
}

/**
 * Common part of all schemas: directives for grants and personal tokens, version, and `Entity` with a service's
 * additions.
 */
export function commonSchema(age: GraphqlAge, scopes: readonly string[], ofEntity = ''): string {
	return `
directive @access(scope: AccessScope!, kind: AccessKind!) on FIELD_DEFINITION
directive @private on FIELD_DEFINITION

enum AccessScope { ${scopes.join(' ')} }
enum AccessKind { RO RW }

scalar Cursor
scalar Time

interface Entity {
	canonicalName: String!
	${ofEntity}
}

type Version {
	major: Int!
	minor: Int!
	patch: Int!
	deprecationDate: Time
	${since2026(age, 'buildVersion: String! buildDate: String!')}
}
`;
}
