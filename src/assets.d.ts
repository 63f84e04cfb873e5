declare module '*.sql' {
  const text: string;
  export default text;
}
declare module 'swagger-ui-dist/swagger-ui-bundle.js' {
  const text: string;
  export default text;
}
declare module '*.css' {
  const text: string;
  export default text;
}
declare module '*.sh' {
  const text: string;
  export default text;
}
declare module '*.php' {
  const text: string;
  export default text;
}
declare module '*.md' {
  const text: string;
  export default text;
}
declare module '*.svg' {
  const text: string;
  export default text;
}
declare module '*.service' {
  const text: string;
  export default text;
}
declare module '*.timer' {
  const text: string;
  export default text;
}
declare module '*.socket' {
  const text: string;
  export default text;
}
declare module '*.conf' {
  const text: string;
  export default text;
}
declare module '*.cfg' {
  const text: string;
  export default text;
}
declare module '*.container' {
  const text: string;
  export default text;
}
declare module '*.yaml' {
  const text: string;
  export default text;
}
declare module '*.pub' {
  const text: string;
  export default text;
}

declare module '*.b64' {
  const text: string;
  export default text;
}
