import { setOf } from '../words.ts';
/** Keywords that are skipped. Parentheses after them are read as an expression. */
export const LEADING = setOf(
  'if elseif else while do for switch try catch finally declare default public private protected final abstract var ' +
    'readonly endif endwhile endfor endforeach endswitch break continue case',
);
/** Words before a property of a class. */
export const OF_CLASSES = new Set(['public', 'private', 'protected', 'var']);
/** Words that begin a type with members. */
export const TYPES = new Set(['class', 'interface', 'trait', 'enum']);
